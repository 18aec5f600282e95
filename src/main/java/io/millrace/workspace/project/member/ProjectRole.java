package io.millrace.workspace.project.member;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Role of a member in a project: a set of permissions (contract admin-api 1.11, 5).
 *
 * @param permissions names as stored in the row
 * @param platformId null for a default role
 */
public record ProjectRole(
        String id,
        Instant created,
        Instant updated,
        String name,
        List<String> permissions,
        @Nullable String platformId) {
    /** Names of the default roles, as the migration wrote them. */
    static final String ADMIN = "Admin";

    static final String EDITOR = "Editor";

    public ProjectRole {
        permissions = List.copyOf(permissions);
    }

    boolean isDefault() {
        return platformId == null;
    }

    boolean allows(Permission permission) {
        return permissions.contains(permission.name());
    }

    /** Its permissions, except names that this release does not know: they grant nothing. */
    List<Permission> known() {
        return Stream.of(Permission.values()).filter(this::allows).toList();
    }

    ProjectRole and(Permission more) {
        var all = Stream.concat(permissions.stream(), Stream.of(more.name())).distinct();
        return new ProjectRole(id, created, updated, name, all.toList(), platformId);
    }

    ProjectRole changed(Optional<String> newName, Optional<List<String>> newPermissions, Instant now) {
        return new ProjectRole(id, created, now, newName.orElse(name), newPermissions.orElse(permissions), platformId);
    }

    /** Payload of audit events (contract admin-api 21). */
    ObjectNode eventData() {
        var data = Json.object();
        data.set("projectRole", toJson().without("type"));
        return data;
    }

    public ObjectNode toJson() {
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
