package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges several objects field by field; a strategy selects the value of each field. */
final class JsonMerge {
    private static final String[] STRATEGIES = {
        "First found", "first",
        "Last found", "last",
        "Most frequent", "most_frequent",
        "Minimum", "min",
        "Maximum", "max",
        "Concatenate into array", "concat"
    };

    private static final Property DEFAULT = Props.choice("Default Strategy", true, STRATEGIES)
            .describedAs("Default strategy for fields not listed below.")
            .defaultingTo(TextNode.valueOf("last"));

    private static final Property STRATEGY = Props.choice("Strategy", true, STRATEGIES);

    /** Numbers by their size, anything else by its text. */
    private static final Comparator<JsonNode> SIZE = (left, right) -> left.isNumber() && right.isNumber()
            ? Double.compare(left.doubleValue(), right.doubleValue())
            : text(left).compareTo(text(right));

    private JsonMerge() {}

    static ComputedAction action() {
        var props = Props.of(
                Props.named("jsonArray", Props.json("Objects to Merge", true).describedAs("A list of objects.")),
                Props.named("defaultStrategy", DEFAULT),
                Props.named(
                        "fieldStrategies",
                        Props.list("Field Strategies", false)
                                .describedAs("Other strategies for single fields.")
                                .withItems(Props.of(
                                        Props.named("field", Props.shortText("Field Name", true)),
                                        Props.named("strategy", STRATEGY)))));
        return ComputedAction.linear(
                ComputedAction.pure("merge_json", "Merge JSON Objects", "Merges several objects into one.", props),
                JsonMerge::merged);
    }

    private static JsonNode merged(ObjectNode input) {
        var usual = Props.chosen(input, "defaultStrategy", DEFAULT, "last");
        var special = new HashMap<String, String>();
        for (var row : input.path("fieldStrategies")) {
            if (row instanceof ObjectNode own) {
                special.put(own.path("field").asText(), Props.chosen(own, "strategy", STRATEGY, usual));
            }
        }
        var merged = Json.object();
        values(input.path("jsonArray"))
                .forEach((field, values) -> merged.set(field, kept(values, special.getOrDefault(field, usual))));
        return merged;
    }

    /** All values by field, in the order of the objects; an empty place in the list is passed over. */
    private static Map<String, List<JsonNode>> values(JsonNode list) {
        if (!list.isArray()) {
            throw PieceFailure.of("jsonArray: expected a list of objects, found another value");
        }
        var values = new LinkedHashMap<String, List<JsonNode>>();
        for (var item : list) {
            if (!item.isObject() && !item.isNull()) {
                throw PieceFailure.of("jsonArray: expected a list of objects, found a list with another value");
            }
            for (var field : item.properties()) {
                values.computeIfAbsent(field.getKey(), _ -> new ArrayList<>()).add(field.getValue());
            }
        }
        return values;
    }

    private static JsonNode kept(List<JsonNode> values, String strategy) {
        return switch (strategy) {
            case "first" -> values.getFirst();
            case "min" -> values.stream().min(SIZE).orElseThrow();
            case "max" -> values.stream().max(SIZE).orElseThrow();
            case "most_frequent" -> mostFrequent(values);
            case "concat" -> together(values);
            default -> values.getLast();
        };
    }

    /** The first of the most frequent values. */
    private static JsonNode mostFrequent(List<JsonNode> values) {
        var counts = new LinkedHashMap<JsonNode, Integer>();
        values.forEach(value -> counts.merge(value, 1, Integer::sum));
        var most = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static ArrayNode together(List<JsonNode> values) {
        var all = Json.array();
        for (var value : values) {
            if (value instanceof ArrayNode list) {
                all.addAll(list);
            } else {
                all.add(value);
            }
        }
        return all;
    }

    private static String text(JsonNode value) {
        return value.isTextual() ? value.asText() : Json.text(value);
    }
}
