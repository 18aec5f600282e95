package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Splits a URL into its parts, as browsers parse it; sends no request. */
public final class ParseUrl {
    /** Default ports, omitted from {@code base_url}. */
    private static final Map<String, Integer> USUAL_PORTS =
            Map.of("http", 80, "https", 443, "ws", 80, "wss", 443, "ftp", 21);

    /** Characters that should be encoded but are common in user-supplied addresses. */
    private static final String TOLERATED = " \"<>\\^`{|}";

    private ParseUrl() {}

    public static ComputedAction action() {
        var props = Props.of(
                Props.named("url", Props.shortText("URL", true).describedAs("The whole URL, with its scheme.")),
                Props.named(
                        "returnArrays",
                        Props.checkbox("Return Values as Arrays", false)
                                .describedAs("Returns a list for each query parameter, so that repeated ones are kept."
                                        + " Otherwise only the first value of each.")
                                .defaultingTo(BooleanNode.TRUE)));
        return ComputedAction.linear(
                ComputedAction.pure("parse_url", "Parse URL", "Returns host, path and parameters of a URL.", props),
                ParseUrl::parsed);
    }

    private static JsonNode parsed(ObjectNode input) {
        var uri = absolute(input.path("url").asText().strip());
        var scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        var host = uri.getHost().toLowerCase(Locale.ROOT);
        var isUsual = uri.getPort() < 0 || uri.getPort() == USUAL_PORTS.getOrDefault(scheme, -1);
        var path = uri.normalize().getRawPath();
        var parts = Json.object()
                .put("base_url", scheme + "://" + host + (isUsual ? "" : ":" + uri.getPort()))
                .put("domain", host)
                .put("path", path.isEmpty() ? "/" : path);
        parts.set(
                "query_parameters",
                parameters(uri.getRawQuery(), input.path("returnArrays").asBoolean(true)));
        return parts.put("hash", uri.getRawFragment() == null ? "" : uri.getRawFragment());
    }

    private static URI absolute(String text) {
        try {
            var uri = new URI(encoded(text));
            if (uri.getScheme() != null && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            throw refused(text, malformed);
        }
        throw refused(text, null);
    }

    private static PieceFailure refused(String text, URISyntaxException why) {
        return PieceFailure.of("url: expected an absolute URL such as https://example.com/page, found " + text
                + (why == null ? "" : " (" + why.getReason() + ")"));
    }

    private static String encoded(String text) {
        var encoded = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (TOLERATED.indexOf(point) >= 0) {
                encoded.append(String.format(Locale.ROOT, "%%%02X", point));
            } else {
                encoded.appendCodePoint(point);
            }
        });
        return encoded.toString();
    }

    private static ObjectNode parameters(String query, boolean lists) {
        var parameters = Json.object();
        if (query == null) {
            return parameters;
        }
        for (var field : query.split("&", -1)) {
            if (!field.isEmpty()) {
                var equals = field.indexOf('=');
                var name = decoded(equals < 0 ? field : field.substring(0, equals));
                var value = decoded(equals < 0 ? "" : field.substring(equals + 1));
                add(parameters, name, value, lists);
            }
        }
        return parameters;
    }

    private static void add(ObjectNode parameters, String name, String value, boolean lists) {
        if (lists) {
            var values = parameters.get(name) instanceof ArrayNode known ? known : parameters.putArray(name);
            values.add(value);
        } else if (!parameters.has(name)) {
            parameters.put(name, value);
        }
    }

    /** Decodes percent escapes; malformed escapes remain unchanged. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException noEncoding) {
            return text;
        }
    }
}
