package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.PercentText;
import io.millrace.base.http.SessionCookie;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The parts of a payload that are lists of names and values (contract flows-and-engine 17.3, 17.4). */
final class Envelope {
    /** Most fields that a query or a form may have; more are refused, not dropped. */
    static final int FIELDS_MAX = 10_000;

    private Envelope() {}

    /** Method, headers and query of a request; the caller adds the body. */
    static ObjectNode of(HttpServerRequest request) {
        var payload = Json.object().put("method", request.method().name());
        payload.set("headers", headers(request.headers()));
        var query = payload.putObject("queryParams");
        // The request's own parameters hold those of the path as well.
        new QueryStringDecoder(request.uri(), StandardCharsets.UTF_8, true, FIELDS_MAX, true)
                .parameters()
                .forEach((name, values) -> values.forEach(value -> add(query, name, TextNode.valueOf(value))));
        return payload;
    }

    /** The fields of an url-encoded form. */
    static ObjectNode form(String text, Charset charset) {
        var fields = Json.object();
        var pairs = pairs(text, charset);
        if (pairs.values().stream().mapToInt(List::size).sum() > FIELDS_MAX) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT, "body/ Too big: expected a form of at most " + FIELDS_MAX + " fields");
        }
        pairs.forEach((name, values) -> values.forEach(value -> add(fields, name, TextNode.valueOf(value))));
        return fields;
    }

    private static Map<String, List<String>> pairs(String text, Charset charset) {
        return new QueryStringDecoder(PercentText.form(text, charset), charset, false, FIELDS_MAX + 1, true)
                .parameters();
    }

    /** A repeated name becomes an array. */
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
