package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.SensitiveHeaders;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** Turns a response into the values that a step's output and errors are made of. */
final class HttpReply {
    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private HttpReply() {}

    /** The body: parsed when it is JSON, whatever its media type says, as the published piece does; else its text. */
    static JsonNode body(OutboundResponse response) {
        var text = text(response);
        if (text.isBlank()) {
            return TextNode.valueOf(text);
        }
        try {
            return Json.parse(text);
        } catch (JsonProcessingException notJson) {
            return TextNode.valueOf(text);
        }
    }

    /** Headers by lower-case name; set-cookie is a list, repeated others are joined. */
    static ObjectNode headers(OutboundResponse response) {
        return headers(response, (_, value) -> value);
    }

    /** The same headers with credentials masked, for errors (contract flows-and-engine 11.3). */
    static ObjectNode maskedHeaders(OutboundResponse response) {
        return headers(response, (name, value) -> SensitiveHeaders.isSensitive(name) ? SensitiveHeaders.MASK : value);
    }

    /** Media type without parameters, in lower case; empty when the response names none. */
    static String mediaType(OutboundResponse response) {
        var type = response.headers().get("content-type");
        return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode headers(OutboundResponse response, BiFunction<String, String, String> shown) {
        var headers = Json.object();
        for (var entry : response.headers()) {
            var name = entry.getKey().toLowerCase(Locale.ROOT);
            var value = shown.apply(name, entry.getValue());
            if (name.equals("set-cookie")) {
                headers.withArrayProperty(name).add(value);
            } else {
                headers.put(name, headers.has(name) ? headers.path(name).asText() + ", " + value : value);
            }
        }
        return headers;
    }

    /** The body as text. */
    static String text(OutboundResponse response) {
        var text = response.body().toString(charset(response));
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    private static Charset charset(OutboundResponse response) {
        var type = response.headers().get("content-type");
        var named = type == null ? null : CHARSET.matcher(type);
        try {
            return named != null && named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
