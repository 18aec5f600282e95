package io.millrace.account.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.DeepJson;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;

/**
 * A recorded event.
 *
 * @param body the event as clients see it, exactly the text that was hashed
 */
public record AuditEvent(
        String id,
        Instant created,
        String platformId,
        String projectId,
        String userId,
        EventAction action,
        String body) {
    JsonNode toJson() {
        return DeepJson.trusted(Buffer.buffer(body).getBytes());
    }
}
