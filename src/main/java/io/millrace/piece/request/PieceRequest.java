package io.millrace.piece.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * A piece that somebody asks the administrators of a platform for.
 *
 * @param userId who asks
 * @param reason what it is wanted for; empty text where nothing was said
 * @param decidedBy the administrator; empty while nobody has decided
 * @param note what the administrator says to it
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
    /** What became of it. */
    public enum Status {
        PENDING,
        APPROVED,
        DECLINED
    }

    /** What an administrator may decide. */
    public enum Decision {
        APPROVED,
        DECLINED
    }

    /** The record as the API shows it. */
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
