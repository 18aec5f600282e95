package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Serialization of parameters by style and explode (OpenAPI 3, section Parameter Object; RFC 6570). Pure. */
final class ParameterStyle {
    /** Characters of RFC 3986 that a parameter with allowReserved keeps; a hash or an ampersand would end the value. */
    private static final String RESERVED_KEPT = ":/?[]@!$'()*+,;=";

    private ParameterStyle() {}

    /** One encoded pair of a query or a form. */
    record Pair(String name, String value) {
        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    /** A plain value as text; a container as JSON. */
    static String text(JsonNode value) {
        if (value.isFloatingPointNumber()) {
            var number = value.decimalValue();
            var whole = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
            return whole.scale() <= 0 && whole.precision() - whole.scale() <= 30
                    ? whole.toBigInteger().toString()
                    : whole.toString();
        }
        return value.isValueNode() ? value.asText() : Json.text(value);
    }

    /** Percent-encodes everything but the unreserved characters of RFC 3986. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static String reserved(String text) {
        return text.codePoints()
                .mapToObj(Character::toString)
                .map(one -> RESERVED_KEPT.contains(one) ? one : encoded(one))
                .collect(Collectors.joining());
    }

    static String path(RequestPlan.Parameter parameter, JsonNode value) {
        var name = encoded(parameter.name());
        return switch (parameter.style()) {
            case "label" ->
                "." + joined(value, parameter.explode() ? "." : ",", parameter.explode(), ParameterStyle::encoded);
            case "matrix" -> matrix(name, value, parameter.explode());
            default -> joined(value, ",", parameter.explode(), ParameterStyle::encoded);
        };
    }

    private static String matrix(String name, JsonNode value, boolean explode) {
        if (explode && value.isArray()) {
            return value.valueStream()
                    .map(item -> ";" + name + "=" + encoded(text(item)))
                    .collect(Collectors.joining());
        }
        return explode && value.isObject()
                ? ";" + joined(value, ";", true, ParameterStyle::encoded)
                : ";" + name + "=" + joined(value, ",", false, ParameterStyle::encoded);
    }

    static String header(RequestPlan.Parameter parameter, JsonNode value) {
        return joined(value, ",", parameter.explode(), UnaryOperator.identity());
    }

    private static String joined(JsonNode value, String separator, boolean explode, UnaryOperator<String> encode) {
        if (value.isArray()) {
            return value.valueStream().map(item -> encode.apply(text(item))).collect(Collectors.joining(separator));
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(field -> encode.apply(field.getKey())
                            + (explode ? "=" : separator)
                            + encode.apply(text(field.getValue())))
                    .collect(Collectors.joining(separator));
        }
        return encode.apply(text(value));
    }

    static List<Pair> query(RequestPlan.Parameter parameter, JsonNode value) {
        UnaryOperator<String> encode = parameter.reserved() ? ParameterStyle::reserved : ParameterStyle::encoded;
        return pairs(parameter.name(), parameter.style(), parameter.explode(), value, encode);
    }

    static List<Pair> form(RequestPlan.Field field, JsonNode value) {
        if (field.contentType().contains("json")) {
            return List.of(new Pair(encoded(field.name()), encoded(Json.text(value))));
        }
        var style = value.isObject() && field.style().equals("form") && field.explode() ? "deepObject" : field.style();
        return pairs(field.name(), style, field.explode(), value, ParameterStyle::encoded);
    }

    private static List<Pair> pairs(
            String name, String style, boolean explode, JsonNode value, UnaryOperator<String> encode) {
        var key = encoded(name);
        var pairs = new ArrayList<Pair>();
        if (value.isArray()) {
            if (explode && !style.equals("spaceDelimited") && !style.equals("pipeDelimited")) {
                value.forEach(item -> pairs.add(new Pair(key, encode.apply(text(item)))));
            } else {
                var separator = switch (style) {
                    case "spaceDelimited" -> "%20";
                    case "pipeDelimited" -> "%7C";
                    default -> ",";
                };
                pairs.add(new Pair(key, joined(value, separator, false, encode)));
            }
        } else if (value.isObject()) {
            if (style.equals("deepObject")) {
                deep(key, value, encode, pairs);
            } else if (explode) {
                value.properties()
                        .forEach(field ->
                                pairs.add(new Pair(encoded(field.getKey()), encode.apply(text(field.getValue())))));
            } else {
                pairs.add(new Pair(key, joined(value, ",", false, encode)));
            }
        } else {
            pairs.add(new Pair(key, encode.apply(text(value))));
        }
        return pairs;
    }

    private static void deep(String name, JsonNode value, UnaryOperator<String> encode, List<Pair> pairs) {
        if (value.isObject()) {
            value.properties()
                    .forEach(field ->
                            deep(name + "%5B" + encoded(field.getKey()) + "%5D", field.getValue(), encode, pairs));
        } else if (value.isArray()) {
            value.forEach(item -> deep(name + "%5B%5D", item, encode, pairs));
        } else if (!value.isNull()) {
            pairs.add(new Pair(name, encode.apply(text(value))));
        }
    }
}
