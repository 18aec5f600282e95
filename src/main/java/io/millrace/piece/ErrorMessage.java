package io.millrace.piece;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Text that a failed step keeps as its errorMessage: JSON with a message and, after an HTTP error, request and response
 * (contract flows-and-engine 11.3). Masks headers that carry secrets; every part has a length limit.
 */
public final class ErrorMessage {
    /** Longest message in characters; truncation is marked. */
    static final int MESSAGE_LENGTH_MAX = 2000;

    /** Longest raw text, and longest other field such as a body or all headers, in characters. */
    static final int RAW_LENGTH_MAX = 16_000;

    static final int NAME_LENGTH_MAX = 200;

    /** Longest text that is kept as it is because it has the form already: room for all its parts, escaped. */
    static final int FORMED_LENGTH_MAX = 256 * 1024;

    private static final String UNKNOWN = "Unknown error";
    private static final String TRUNCATED = "\n…[truncated]";
    private static final String MASK = "********";

    private static final Set<String> SECRET_HEADERS =
            Set.of("authorization", "proxy-authorization", "cookie", "set-cookie", "www-authenticate");

    private static final Pattern SECRET_HEADER =
            Pattern.compile("token|secret|passw|api-?key|access-?key|credential|signature|session");

    private static final List<String> PLAIN_FIELDS = List.of("requestUrl", "requestMethod");

    private ErrorMessage() {}

    /** The text for anything that an action or trigger failed with; null counts as an unknown error. */
    public static String of(Throwable failure) {
        if (failure instanceof PieceFailure refused) {
            return of(refused.getMessage(), refused.details());
        }
        // The class name of an exception is useless to the author of a flow.
        return of(failure == null ? null : failure.getMessage());
    }

    /** The text for a plain message, as user code throws it; null counts as an unknown error. */
    public static String of(String message) {
        return of(message, Json.object());
    }

    /**
     * The text for a message and the further fields of 11.3: errorName, status, responseBody, responseHeaders,
     * requestBody, requestUrl, requestMethod, raw; and line, the line of the author's source where code threw.
     */
    public static String of(String message, ObjectNode details) {
        return isErrorMessage(message) ? message : Json.text(build(message, details));
    }

    private static ObjectNode build(String message, ObjectNode details) {
        // A piece that truncates a body extracts the message first.
        var apiMessage = details.path("apiMessage").asText(ApiMessage.in(details.path("responseBody")));
        var text = Json.object().put("__apErrorVersion", 1);
        text.put(
                "message", apiMessage.isEmpty() ? CutText.marked(plain(message), MESSAGE_LENGTH_MAX, "…") : apiMessage);
        if (details.hasNonNull("errorName")
                && !details.path("errorName").asText().equals("Error")) {
            text.put("errorName", CutText.marked(details.path("errorName").asText(), NAME_LENGTH_MAX, "…"));
        }
        copyBounded("status", details, text);
        copyBounded("responseBody", details, text);
        copyHeaders("responseHeaders", details, text);
        copyBounded("requestBody", details, text);
        for (var field : PLAIN_FIELDS) {
            copyBounded(field, details, text);
        }
        if (!apiMessage.isEmpty()) {
            text.put("apiMessage", apiMessage);
        }
        if (details.hasNonNull("raw")) {
            text.put("raw", CutText.marked(details.path("raw").asText(), RAW_LENGTH_MAX, TRUNCATED));
        }
        var line = details.path("line").asInt();
        if (line > 0) {
            text.put("line", line);
        }
        return text;
    }

    private static boolean isErrorMessage(String message) {
        if (message == null || message.length() > FORMED_LENGTH_MAX || !message.startsWith("{\"__apErrorVersion\"")) {
            return false;
        }
        try {
            return Json.parse(message).path("__apErrorVersion").isNumber();
        } catch (JsonProcessingException plainText) {
            return false;
        }
    }

    /** A message without the lines of a stack. */
    private static String plain(String message) {
        if (message == null) {
            return UNKNOWN;
        }
        var kept = new StringBuilder();
        message.lines()
                .filter(line -> !isStackLine(line))
                .forEach(line -> kept.append(line).append('\n'));
        var text = kept.toString().strip();
        return text.isEmpty() ? UNKNOWN : text;
    }

    private static boolean isStackLine(String line) {
        return !line.isEmpty()
                && Character.isWhitespace(line.charAt(0))
                && line.stripLeading().startsWith("at ");
    }

    private static void copyBounded(String field, ObjectNode details, ObjectNode text) {
        var body = details.path(field);
        if (body.isMissingNode() || body.isNull()) {
            return;
        }
        var written = body.isTextual() ? body.asText() : Json.text(body);
        text.set(
                field,
                written.length() <= RAW_LENGTH_MAX
                        ? body
                        : TextNode.valueOf(CutText.marked(written, RAW_LENGTH_MAX, TRUNCATED)));
    }

    private static void copyHeaders(String field, ObjectNode details, ObjectNode text) {
        if (!(details.path(field) instanceof ObjectNode headers)) {
            return;
        }
        var masked = Json.object();
        var room = RAW_LENGTH_MAX;
        for (var header : headers.properties()) {
            var value = isSecret(header.getKey()) ? TextNode.valueOf(MASK) : header.getValue();
            room -= header.getKey().length() + Json.text(value).length();
            if (room < 0) {
                masked.put(TRUNCATED.strip(), true);
                break;
            }
            masked.set(header.getKey(), value);
        }
        text.set(field, masked);
    }

    private static boolean isSecret(String header) {
        var name = header.toLowerCase(Locale.ROOT);
        return SECRET_HEADERS.contains(name) || SECRET_HEADER.matcher(name).find();
    }
}
