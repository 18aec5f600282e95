package io.millrace.project;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.access.Permission;
import io.millrace.core.Json;
import java.time.Instant;
import java.util.List;

/**
 * What its holder may do in a project (contract admin-api 1.11, 5).
 *
 * @param permissions names, as the row keeps them
 * @param platformId null for a default role
 */
record ProjectRole(
        String id, Instant created, Instant updated, String name, List<String> permissions, String platformId) {
    /** Names of the default roles, as the migration wrote them. */
    static final String ADMIN = "Admin";

    static final String EDITOR = "Editor";

    ProjectRole {
        permissions = List.copyOf(permissions);
    }

    boolean isDefault() {
        return platformId == null;
    }

    boolean allows(Permission permission) {
        return permissions.contains(permission.name());
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("name", name)
                .put("platformId", platformId)
                .put("type", isDefault() ? "DEFAULT" : "CUSTOM");
        var array = json.putArray("permissions");
        permissions.forEach(array::add);
        return json;
    }
}
