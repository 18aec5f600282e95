package io.millrace.piece.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * A user's request for a piece to the administrators of a platform.
 *
 * @param userId requesting user
 * @param reason purpose; empty text for none
 * @param decidedBy the administrator; empty while the request is open
 * @param note comment of the administrator
 */
public record PieceRequest(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        String userId,
        String pieceName,
        String pieceVersion,
        String reason,
        Status status,
        Optional<String> decidedBy,
        Optional<String> note) {
    public enum Status {
        PENDING,
        APPROVED,
        DECLINED
    }

    public enum Decision {
        APPROVED,
        DECLINED
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("userId", userId)
                .put("pieceName", pieceName)
                .put("pieceVersion", pieceVersion)
                .put("reason", reason)
                .put("status", status.name());
        decidedBy.ifPresent(user -> json.put("decidedBy", user));
        note.ifPresent(text -> json.put("note", text));
        return json;
    }
}
