package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * A consent in force, as shown to users.
 *
 * @param clientName unverified name from the registration; empty when the client gave none
 * @param redirectUri redirect address, whose host identifies the client better than its name
 * @param projectId the one project that is open; empty for every project of the person
 */
record ActiveGrant(
        String id,
        Instant created,
        Instant expires,
        String clientId,
        Optional<String> clientName,
        String redirectUri,
        String userId,
        String userEmail,
        Optional<String> projectId) {
    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("expires", Json.timestamp(expires))
                .put("clientId", clientId)
                .put("clientName", clientName.orElse(null))
                .put("redirectUri", redirectUri)
                .put("userId", userId)
                .put("userEmail", userEmail)
                .put("projectId", projectId.orElse(null));
    }
}
