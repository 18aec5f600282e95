package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;

/**
 * A secret manager of a platform (contract admin-api 26.1).
 *
 * @param projectIds projects that may use it; empty for the scope PLATFORM
 * @param sealedConfig sealed address and credentials
 * @param freshFrom values fetched before this time are stale
 */
public record SecretManager(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        SecretVendor vendor,
        String name,
        Scope scope,
        List<String> projectIds,
        Buffer sealedConfig,
        Instant freshFrom) {
    public enum Scope {
        PLATFORM,
        PROJECT
    }

    public SecretManager {
        projectIds = List.copyOf(projectIds);
    }

    boolean serves(String projectId) {
        return scope == Scope.PLATFORM || projectIds.contains(projectId);
    }

    ObjectNode toJson(boolean connected) {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("providerId", vendor.word())
                .put("name", name)
                .put("scope", scope.name());
        if (scope == Scope.PROJECT) {
            projectIds.forEach(json.putArray("projectIds")::add);
        }
        json.putObject("connection").put("configured", true).put("connected", connected);
        return json;
    }
}
