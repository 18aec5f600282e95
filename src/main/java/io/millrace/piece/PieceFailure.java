package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * Failure of a step with a message for the author of the flow. Carries the fields of the step's error message (contract
 * flows-and-engine 11.3); has no stack trace, because it is a result and not a defect.
 */
public final class PieceFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient ObjectNode details;

    private PieceFailure(String message, ObjectNode details) {
        super(message, null, false, false);
        this.details = details;
    }

    public static PieceFailure of(String message) {
        return new PieceFailure(message, Json.object());
    }

    /** A failure of a named kind, for example ConnectionNotFound (11.4). */
    public static PieceFailure named(String errorName, String message) {
        return new PieceFailure(message, Json.object().put("errorName", errorName));
    }

    /** A failure with further fields of 11.3 such as status and responseBody. */
    public static PieceFailure of(String message, ObjectNode details) {
        return new PieceFailure(message, details);
    }

    /** Fields of 11.3 other than message; may be empty. */
    public ObjectNode details() {
        return details;
    }
}
