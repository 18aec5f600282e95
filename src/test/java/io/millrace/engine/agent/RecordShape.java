package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Expected members of a record, each with its type; no others. Written like {@code id:id name:text config:object
 * model:text|null}; a {@code ?} after the name marks an optional member.
 */
record RecordShape(String written) {
    void check(JsonNode found) {
        var wanted = new TreeMap<String, String>();
        var actual = new TreeMap<String, String>();
        members().forEach((name, types) -> {
            var isOptional = name.endsWith("?");
            var plain = isOptional ? name.substring(0, name.length() - 1) : name;
            if (found.has(plain) || !isOptional) {
                wanted.put(plain, types);
            }
        });
        found.properties().forEach(member -> {
            var types = wanted.getOrDefault(member.getKey(), "");
            var type = typeOf(member.getValue(), types);
            actual.put(member.getKey(), ("|" + types + "|").contains("|" + type + "|") ? types : type);
        });
        assertThat(actual).as(found.toString()).isEqualTo(wanted);
    }

    private Map<String, String> members() {
        var members = new LinkedHashMap<String, String>();
        for (var member : written.strip().split("\\s+")) {
            var colon = member.indexOf(':');
            members.put(member.substring(0, colon), member.substring(colon + 1));
        }
        return members;
    }

    /** Name of the most specific type of a value. */
    private static String typeOf(JsonNode value, String asked) {
        return switch (value.getNodeType()) {
            case NULL -> "null";
            case BOOLEAN -> "flag";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case ARRAY -> "array";
            case OBJECT -> "object";
            default -> typeOfText(value.asText(), asked);
        };
    }

    private static String typeOfText(String text, String asked) {
        if (asked.contains("id") && Ids.isId(text)) {
            return "id";
        }
        return asked.contains("time") && isTime(text) ? "time" : "text";
    }

    private static boolean isTime(String text) {
        try {
            return Instant.parse(text) != null && text.matches(".*\\.\\d{3}Z");
        } catch (DateTimeParseException none) {
            return false;
        }
    }
}
