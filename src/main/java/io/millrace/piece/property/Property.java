package io.millrace.piece.property;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One property of an action or trigger (contract flows-and-engine 29, pieces 2.3).
 *
 * @param description null when there is none
 * @param defaultValue null when there is none
 * @param contents choices and inner properties
 * @param extras further fields of the definition that only editors read (variant, placeholder); may be empty
 */
public record Property(
        PropertyType type,
        String displayName,
        String description,
        boolean required,
        JsonNode defaultValue,
        Contents contents,
        ObjectNode extras) {
    /**
     * Choices and inner properties.
     *
     * @param options choices of a static drop-down, else empty
     * @param refreshers names of the properties whose change reloads a DROPDOWN or DYNAMIC property
     * @param properties item properties of an ARRAY, in order; empty for an array of plain texts
     * @param children the child properties of a DYNAMIC property for a given input; null for other types
     */
    public record Contents(
            List<Option> options,
            List<String> refreshers,
            Map<String, Property> properties,
            Function<ObjectNode, Map<String, Property>> children) {
        private static final Contents NONE = new Contents(List.of(), List.of(), Map.of(), null);
    }

    public record Option(String label, JsonNode value) {}

    public static Property of(PropertyType type, String displayName, boolean required) {
        return new Property(type, displayName, null, required, null, Contents.NONE, Json.object());
    }

    public List<Option> options() {
        return contents.options();
    }

    public List<String> refreshers() {
        return contents.refreshers();
    }

    public Map<String, Property> properties() {
        return contents.properties();
    }

    public Function<ObjectNode, Map<String, Property>> children() {
        return contents.children();
    }

    public Property describedAs(String text) {
        return new Property(type, displayName, text, required, defaultValue, contents, extras);
    }

    public Property defaultingTo(JsonNode value) {
        return new Property(type, displayName, description, required, value, contents, extras);
    }

    public Property withOptions(List<Option> choices) {
        return with(new Contents(choices, refreshers(), properties(), children()));
    }

    public Property withItems(Map<String, Property> items) {
        return with(new Contents(options(), refreshers(), items, children()));
    }

    public Property refreshedBy(List<String> names) {
        return refreshedBy(names, children());
    }

    public Property refreshedBy(List<String> names, Function<ObjectNode, Map<String, Property>> childrenOf) {
        return with(new Contents(options(), names, properties(), childrenOf));
    }

    public Property withExtra(String field, JsonNode value) {
        var more = extras.deepCopy();
        more.set(field, value);
        return new Property(type, displayName, description, required, defaultValue, contents, more);
    }

    private Property with(Contents other) {
        return new Property(type, displayName, description, required, defaultValue, other, extras);
    }
}
