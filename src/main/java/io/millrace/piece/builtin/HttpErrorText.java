package io.millrace.piece.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Digs the sentence out of an error response that a person would look for (contract flows-and-engine 11.3). */
final class HttpErrorText {
    private static final int LENGTH_MAX = 2000;

    /** Patterns over markup take quadratic time in the worst case: this much of it is bearable on an event loop. */
    private static final int MARKUP_LENGTH_MAX = 16 * 1024;

    private static final List<String> FIELDS = List.of(
            "message",
            "error_description",
            "errorDescription",
            "detail",
            "title",
            "error_message",
            "errorMessage",
            "errorMessages",
            "errors",
            "error",
            "faultstring",
            "fault",
            "reason",
            "description");
    private static final List<String> INNER_FIELDS = List.of("message", "detail", "description", "reason", "error");
    private static final int DEPTH_MAX = 8;

    private static final Pattern MARKUP = Pattern.compile("^\\s*<[!?a-zA-Z]");
    private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]*>([^<]*)</title>");
    private static final Pattern INVISIBLE =
            Pattern.compile("(?is)<(script|style|head)\\b[^>]*>.*?</\\1\\s*>|<!--.*?-->");
    private static final Pattern TAG = Pattern.compile("<[^>]*>");

    private HttpErrorText() {}

    /** The message of an error body; empty when it has none. */
    static Optional<String> of(JsonNode body) {
        var found = body.isObject() ? ofFields(body, FIELDS, 0) : text(body, 0);
        return found.map(HttpErrorText::cut);
    }

    private static Optional<String> ofFields(JsonNode object, List<String> names, int depth) {
        return names.stream()
                .map(name -> text(object.path(name), depth + 1))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> text(JsonNode value, int depth) {
        if (depth > DEPTH_MAX) {
            return Optional.empty();
        }
        if (value.isTextual()) {
            return Optional.of(readable(value.asText()).strip()).filter(text -> !text.isEmpty());
        }
        if (value.isObject()) {
            return ofFields(value, INNER_FIELDS, depth);
        }
        if (!value.isArray()) {
            return Optional.empty();
        }
        var joined = StreamSupport.stream(value.spliterator(), false)
                .map(item -> text(item, depth + 1))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        return Optional.of(joined).filter(text -> !text.isEmpty());
    }

    private static String readable(String text) {
        return MARKUP.matcher(text).find() ? ofMarkup(text) : text;
    }

    private static String ofMarkup(String whole) {
        var markup = whole.length() > MARKUP_LENGTH_MAX ? whole.substring(0, MARKUP_LENGTH_MAX) : whole;
        var titled = TITLE.matcher(markup);
        var title = titled.find() ? plain(titled.group(1)) : "";
        var visible =
                plain(TAG.matcher(INVISIBLE.matcher(markup).replaceAll(" ")).replaceAll(" "));
        if (title.isEmpty() || visible.startsWith(title)) {
            return visible;
        }
        return visible.isEmpty() ? title : title + " — " + visible;
    }

    private static String plain(String text) {
        return text.replace("&nbsp;", " ")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&apos;", "'")
                // Last, so that an escaped ampersand does not make another entity.
                .replace("&amp;", "&")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static String cut(String text) {
        return text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "…" : text;
    }
}
