package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.OutboundProxy;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.input.ScriptValues;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The input of one Send HTTP request step, read and checked.
 *
 * @param timeoutMs of one try; empty when the step's author gave none
 */
record HttpCall(OutboundRequest request, Optional<HttpBody> body, OptionalLong timeoutMs, boolean followsRedirects) {
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final String CONTENT_TYPE = "Content-Type";

    /**
     * Reads the input.
     *
     * @param idempotencyKey of the step that calls
     * @throws PieceFailure naming the invalid input
     */
    static HttpCall of(ObjectNode props, String idempotencyKey) {
        try {
            var method = required(props, "method", "Method").toUpperCase(Locale.ROOT);
            var address = WebAddress.parse(required(props, "url", "URL")).withQuery(query(props.path("queryParams")));
            var headers = headers(props, method, idempotencyKey);
            var body = HttpBody.of(props, Optional.ofNullable(headers.get(CONTENT_TYPE)));
            body.ifPresent(content -> {
                if (content.fixed() || !headers.containsKey(CONTENT_TYPE)) {
                    headers.put(CONTENT_TYPE, content.contentType());
                }
            });
            var follows = props.path("followRedirects").asBoolean(false);
            var request = OutboundRequest.of(method, address)
                    .withHeaders(headers)
                    .followingRedirects(follows ? OutboundLimits.REDIRECTS_MAX : 0);
            var proxied = props.path("use_proxy").asBoolean(false)
                    ? request.through(proxy(props.path("proxy_settings")))
                    : request;
            var full = body.map(content -> proxied.withBody(content.content())).orElse(proxied);
            return new HttpCall(full, body, timeoutMs(props), follows);
        } catch (IllegalArgumentException malformed) {
            throw PieceFailure.of(malformed.getMessage());
        }
    }

    /** Returns whether the status counts as success; a redirect does unless it was to be followed. */
    boolean accepts(int status) {
        return status < (followsRedirects ? 300 : 400);
    }

    /** Text of a value: text unchanged, null as empty text, other values as JSON. */
    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return ScriptValues.text(value);
    }

    private static Map<String, String> headers(ObjectNode props, String method, String idempotencyKey) {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Accept", "application/json");
        authorization(props).ifPresent(value -> headers.put("Authorization", value));
        if (props.path("sendIdempotencyKey").asBoolean(false) && !SAFE_METHODS.contains(method)) {
            headers.put("Idempotency-Key", idempotencyKey);
        }
        props.path("headers").properties().forEach(entry -> {
            var name = entry.getKey().strip();
            if (!name.isEmpty() && !entry.getValue().isNull()) {
                headers.put(name, text(entry.getValue()));
            }
        });
        return headers;
    }

    private static Optional<String> authorization(ObjectNode props) {
        var fields = props.path("authFields");
        return switch (props.path("authType").asText("NONE")) {
            case "BASIC" ->
                Optional.of("Basic " + base64(text(fields.path("username")) + ":" + text(fields.path("password"))));
            case "BEARER_TOKEN" -> Optional.of("Bearer " + text(fields.path("token")));
            default -> Optional.empty();
        };
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String query(JsonNode params) {
        var pairs = new ArrayList<String>();
        params.properties().forEach(entry -> {
            var value = entry.getValue();
            if (!entry.getKey().isEmpty() && !value.isNull()) {
                pairs.add(encoded(entry.getKey()) + "=" + encoded(value.isArray() ? joined(value) : text(value)));
            }
        });
        return String.join("&", pairs);
    }

    /** A list becomes one value with commas, as the published piece sends it. */
    private static String joined(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(text(item)));
        return String.join(",", texts);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static OutboundProxy proxy(JsonNode settings) {
        var port = settings.path("proxy_port").asInt(0);
        var username = text(settings.path("proxy_username"));
        var password = text(settings.path("proxy_password"));
        var credentials = username.isEmpty() || password.isEmpty()
                ? Optional.<OutboundProxy.ProxyCredentials>empty()
                : Optional.of(new OutboundProxy.ProxyCredentials(username, password));
        return new OutboundProxy(required(settings, "proxy_host", "Proxy Host"), port, credentials);
    }

    private static OptionalLong timeoutMs(ObjectNode props) {
        var seconds = props.path("timeout").asDouble(0);
        return seconds > 0 ? OptionalLong.of(Math.max(1, Math.round(seconds * 1000))) : OptionalLong.empty();
    }

    private static String required(JsonNode object, String name, String label) {
        var value = text(object.path(name)).strip();
        if (value.isEmpty()) {
            throw new IllegalArgumentException(label + " is required");
        }
        return value;
    }
}
