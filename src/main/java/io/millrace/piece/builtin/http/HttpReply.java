package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.coding.ContentCoding;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.HeaderValue;
import io.millrace.base.core.text.MediaType;
import io.millrace.base.core.text.PercentText;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.SensitiveHeaders;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/** Converts a response into the output or the error of a step. */
public final class HttpReply {
    private HttpReply() {}

    /**
     * Body parsed as JSON if possible, regardless of its media type, as in the published piece; otherwise
     * {@link #text}.
     */
    public static JsonNode body(OutboundResponse response) {
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
    public static ObjectNode maskedHeaders(OutboundResponse response) {
        return headers(response, (name, value) -> SensitiveHeaders.isSensitive(name) ? SensitiveHeaders.MASK : value);
    }

    /** Media type without parameters, in lower case; empty when the response names none. */
    public static String mediaType(OutboundResponse response) {
        return HeaderValue.of(contentType(response)).value();
    }

    private static ObjectNode headers(OutboundResponse response, BiFunction<String, String, String> shown) {
        var headers = Json.object();
        for (var entry : response.headers()) {
            var name = entry.getKey().toLowerCase(Locale.ROOT);
            var value = shown.apply(name, PercentText.header(entry.getValue()));
            if (name.equals("set-cookie")) {
                headers.withArrayProperty(name).add(value);
            } else {
                headers.put(name, headers.has(name) ? headers.path(name).asText() + ", " + value : value);
            }
        }
        return headers;
    }

    /** The body as text; bytes that are not text become a data URI. */
    static String text(OutboundResponse response) {
        return received(response).orElseGet(() -> dataUri(response));
    }

    /** The body as text; empty when it does not decode in its charset, or has a content encoding that was not removed. */
    public static Optional<String> received(OutboundResponse response) {
        return encodings(response).isEmpty()
                ? ReceivedText.of(response.body().getBytes(), MediaType.of(contentType(response)))
                        .map(ReceivedText::text)
                : Optional.empty();
    }

    /** Content encodings that the body still has, in the order of the header: the client does not know one of them. */
    static List<String> encodings(OutboundResponse response) {
        return response.body().length() == 0
                ? List.of()
                : ContentCoding.undone(response.headers().getAll("content-encoding"))
                        .reversed();
    }

    private static String contentType(OutboundResponse response) {
        return response.headers().get("content-type");
    }

    private static String dataUri(OutboundResponse response) {
        var type = mediaType(response);
        return "data:" + (type.isEmpty() ? "application/octet-stream" : type) + ";base64,"
                + Base64.getEncoder().encodeToString(response.body().getBytes());
    }
}
