package io.millrace.workspace.connection.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

/**
 * A connection's value in its stored form.
 *
 * @param projectId owner; empty for a connection of the whole platform
 * @param refreshDue time of the next renewal before use; empty when it cannot be renewed
 */
public record SealedConnection(
        String id,
        String externalId,
        String platformId,
        Optional<String> projectId,
        ConnectionPiece piece,
        ConnectionType type,
        ConnectionStatus status,
        Buffer value,
        Optional<Instant> refreshDue) {

    public boolean isDue(Instant now) {
        return refreshDue.isPresent() && !now.isBefore(refreshDue.get());
    }

    SealedConnection with(Buffer otherValue, Optional<Instant> otherDue) {
        return new SealedConnection(
                id, externalId, platformId, projectId, piece, type, ConnectionStatus.ACTIVE, otherValue, otherDue);
    }

    public ObjectNode open(SecretBox box) {
        return (ObjectNode) Json.trusted(box.open(value.getBytes(), place(id)));
    }

    public static Buffer seal(SecretBox box, String id, ObjectNode value) {
        return Buffer.buffer(box.seal(Json.bytes(value), place(id)));
    }

    private static String place(String id) {
        return "app_connection:" + id;
    }
}
