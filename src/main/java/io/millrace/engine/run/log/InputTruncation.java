package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Locale;

/**
 * Shortens a step's input in the log: each top-level value larger than the threshold is replaced by a text with its
 * original size (seed, Limits; contract flows-and-engine 15.3). The step itself gets the full value.
 */
public final class InputTruncation {
    private static final double KILOBYTE = 1024;
    private static final String MARK = "(truncated, original size ";

    private final long bytesMax;

    public InputTruncation(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public JsonNode shorten(JsonNode input) {
        if (!(input instanceof ObjectNode object)) {
            return input;
        }
        ObjectNode shortened = null;
        for (var field : object.properties()) {
            if (!JsonSize.isAtMost(field.getValue(), bytesMax)) {
                shortened = shortened == null ? Json.object().setAll(object) : shortened;
                var size = JsonSize.of(field.getValue());
                shortened.put(field.getKey(), MARK + sizeText(size) + ")");
            }
        }
        return shortened == null ? object : shortened;
    }

    public static boolean isMark(String text) {
        return text.startsWith(MARK);
    }

    private static String sizeText(long bytes) {
        var kilobytes = Math.round(bytes / KILOBYTE);
        return kilobytes < KILOBYTE
                ? kilobytes + " KB"
                : String.format(Locale.ROOT, "%.1f MB", bytes / KILOBYTE / KILOBYTE);
    }
}
