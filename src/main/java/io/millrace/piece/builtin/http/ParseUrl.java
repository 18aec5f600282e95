package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.PercentText;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import java.net.URI;
import java.net.URISyntaxException;
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
        var url = Parts.of(input.path("url").asText().strip());
        var isUsual = url.port() < 0 || url.port() == USUAL_PORTS.getOrDefault(url.scheme(), -1);
        var parts = Json.object()
                .put("base_url", url.scheme() + "://" + url.host() + (isUsual ? "" : ":" + url.port()))
                .put("domain", url.host())
                .put("path", url.path().isEmpty() ? "/" : url.path());
        parts.set(
                "query_parameters",
                parameters(url.query(), input.path("returnArrays").asBoolean(true)));
        return parts.put("hash", url.fragment());
    }

    /**
     * Parts of a URL, percent-encoded.
     *
     * @param port -1 for none
     * @param query null for none
     */
    private record Parts(String scheme, String host, int port, String path, String query, String fragment) {
        static Parts of(String text) {
            try {
                return text.toLowerCase(Locale.ROOT).startsWith("http") ? ofWeb(text) : ofOther(text);
            } catch (IllegalArgumentException | URISyntaxException malformed) {
                throw PieceFailure.of("url: expected an absolute URL such as https://example.com/page, found " + text
                        + " (" + malformed.getMessage() + ")");
            }
        }

        /** As browsers read it: hosts of any name, percent signs that encode nothing, a second hash. */
        private static Parts ofWeb(String text) {
            var url = WebAddress.parse(text);
            var host = url.host().indexOf(':') < 0 ? url.host() : "[" + url.host() + "]";
            var question = url.target().indexOf('?');
            var hash = text.indexOf('#');
            return new Parts(
                    url.scheme(),
                    host,
                    url.port(),
                    question < 0 ? url.target() : url.target().substring(0, question),
                    question < 0 ? null : url.target().substring(question + 1),
                    hash < 0 ? "" : encoded(text.substring(hash + 1)));
        }

        private static Parts ofOther(String text) throws URISyntaxException {
            var uri = new URI(encoded(text));
            if (uri.getScheme() == null || uri.getHost() == null) {
                throw new IllegalArgumentException("it has no scheme or no host");
            }
            var fragment = uri.getRawFragment() == null ? "" : uri.getRawFragment();
            return new Parts(
                    uri.getScheme().toLowerCase(Locale.ROOT),
                    uri.getHost().toLowerCase(Locale.ROOT),
                    uri.getPort(),
                    uri.normalize().getRawPath(),
                    uri.getRawQuery(),
                    fragment);
        }
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

    /** Decodes a form; escapes that are malformed or not UTF-8 remain unchanged. */
    private static String decoded(String text) {
        return PercentText.decoded(text.replace('+', ' '), StandardCharsets.UTF_8);
    }
}
