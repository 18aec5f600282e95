package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * A consent that still opens something, as people see it.
 *
 * @param clientName as the client calls itself, which nobody has checked; empty when it does not say
 * @param redirectUri where the person was sent back to; its host says more than a name
 * @param projectId the one project that is open; empty for every project of the person
 */
record LivingGrant(
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
