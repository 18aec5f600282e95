package io.millrace.engine.run.step;

import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import java.util.Locale;
import java.util.OptionalLong;

/** Failures of a step that have a name and an indented JSON message (contract flows-and-engine 11.4). */
public final class NamedFailure {
    private static final double MEGABYTE = 1024 * 1024;

    private NamedFailure() {}

    public static Throwable of(Throwable cause) {
        return cause instanceof ExpressionFailure expression
                ? PieceFailure.named(expression.errorName(), expression.getMessage())
                : cause;
    }

    public static PieceFailure noList() {
        return PieceFailure.of(
                Json.pretty(Json.object().put("message", "The items you have selected must be a list.")));
    }

    public static PieceFailure of(String name, String message) {
        return PieceFailure.named(name, Json.pretty(Json.object().put("message", message)));
    }

    /**
     * A file that is too large.
     *
     * @param bytes its size; empty when reading was aborted
     */
    public static PieceFailure fileSize(OptionalLong bytes, long bytesMax) {
        var message = Json.object().put("message", "File size is larger than maximum supported size");
        bytes.ifPresent(size -> message.put("currentFileSize", megabytes(size)));
        message.put("maximumSupportSize", megabytes(bytesMax));
        return PieceFailure.named("FileSizeError", Json.pretty(message));
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f MB", bytes / MEGABYTE).replace(".00 ", " ");
    }
}
