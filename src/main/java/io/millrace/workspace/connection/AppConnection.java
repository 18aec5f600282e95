package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Nullable;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.connection.credential.ConnectionType;
import java.time.Instant;
import java.util.List;

/**
 * A connection without its value (contract admin-api 7.1).
 *
 * @param projectIds projects that have it; one for the scope PROJECT
 * @param ownerId user who made it, or null
 * @param owner record of that user, or null
 * @param metadata free-form object, or null
 * @param usingSecretManager true when its value refers to a secret manager
 */
public record AppConnection(
        String id,
        Instant created,
        Instant updated,
        String externalId,
        String displayName,
        ConnectionType type,
        ConnectionScope scope,
        ConnectionStatus status,
        String pieceName,
        String pieceVersion,
        String platformId,
        List<String> projectIds,
        @Nullable String ownerId,
        @Nullable JsonNode owner,
        @Nullable JsonNode metadata,
        boolean preSelectForNewProjects,
        boolean usingSecretManager) {
    public AppConnection {
        projectIds = List.copyOf(projectIds);
    }
}
