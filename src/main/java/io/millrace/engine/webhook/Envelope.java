package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.PercentText;
import io.millrace.base.http.SessionCookie;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The parts of a payload that are lists of names and values (contract flows-and-engine 17.3, 17.4). */
final class Envelope {
    /** Maximum number of fields that a form may have; more are refused, not dropped. A query has fewer by its length. */
    static final int FIELDS_MAX = 10_000;

    private Envelope() {}

    /** The caller adds the body. */
    static ObjectNode of(HttpServerRequest request) {
        var payload = Json.object().put("method", request.method().name());
        payload.set("headers", headers(request.headers()));
        payload.set("queryParams", query(request));
        return payload;
    }

    /** Query of a request; the request's own parameters hold those of the path as well. */
    static ObjectNode query(HttpServerRequest request) {
        var query = Json.object();
        var mark = request.uri().indexOf('?');
        if (mark >= 0) {
            addAll(query, request.uri().substring(mark + 1), StandardCharsets.UTF_8);
        }
        return query;
    }

    static ObjectNode form(String text, Charset charset) {
        var fields = Json.object();
        if (addAll(fields, text, charset) > FIELDS_MAX) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT, "body/ Too big: expected a form of at most " + FIELDS_MAX + " fields");
        }
        return fields;
    }

    /** Adds URL-encoded fields, as the URL Standard parses them: a name may be empty. Returns their number. */
    static int addAll(ObjectNode fields, String text, Charset charset) {
        var count = 0;
        for (var from = 0; from < text.length() && count <= FIELDS_MAX; ) {
            var next = text.indexOf('&', from);
            var end = next < 0 ? text.length() : next;
            if (end > from) {
                var equals = text.indexOf('=', from, end);
                var nameEnd = equals < 0 ? end : equals;
                var value = TextNode.valueOf(decoded(text.substring(Math.min(end, nameEnd + 1), end), charset));
                add(fields, decoded(text.substring(from, nameEnd), charset), value);
                count++;
            }
            from = end + 1;
        }
        return count;
    }

    private static String decoded(String text, Charset charset) {
        return text.indexOf('%') < 0 && text.indexOf('+') < 0
                ? text
                : URLDecoder.decode(PercentText.form(text, charset), charset);
    }

    static void add(ObjectNode fields, String name, JsonNode value) {
        switch (fields.get(name)) {
            case null -> fields.set(name, value);
            case ArrayNode values -> values.add(value);
            case JsonNode present -> fields.set(name, Json.array().add(present).add(value));
        }
    }

    /**
     * Removes this server's session cookies: a signed-in user who opens a flow's address must not disclose the session to its
     * author.
     */
    private static String withoutOurs(String cookies) {
        return Arrays.stream(cookies.split(";"))
                .map(String::strip)
                .filter(cookie -> !cookie.isEmpty() && !cookie.startsWith(SessionCookie.NAMES))
                .collect(Collectors.joining("; "));
    }

    /** A repeated header is one header whose values are joined (RFC 9110, 5.3). */
    private static ObjectNode headers(MultiMap given) {
        var headers = Json.object();
        given.forEach(header -> {
            var name = header.getKey().toLowerCase(Locale.ROOT);
            var isCookie = name.equals("cookie");
            var text = PercentText.header(header.getValue());
            var value = isCookie ? withoutOurs(text) : text;
            if (isCookie && value.isEmpty()) {
                return;
            }
            var present = headers.get(name);
            headers.put(name, present == null ? value : present.asText() + (isCookie ? "; " : ", ") + value);
        });
        return headers;
    }
}
