package io.millrace.piece.builtin.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.Property.Option;
import io.millrace.piece.property.PropertyType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Short ways to declare the properties of built-in pieces. */
public final class Props {
    private Props() {}

    public record NamedProperty(String name, Property property) {}

    public static NamedProperty named(String name, Property property) {
        return new NamedProperty(name, property);
    }

    public static Map<String, Property> of(NamedProperty... props) {
        var map = new LinkedHashMap<String, Property>();
        for (var prop : props) {
            map.put(prop.name(), prop.property());
        }
        return Collections.unmodifiableMap(map);
    }

    public static Property shortText(String displayName, boolean required) {
        return Property.of(PropertyType.SHORT_TEXT, displayName, required);
    }

    public static Property longText(String displayName, boolean required) {
        return Property.of(PropertyType.LONG_TEXT, displayName, required);
    }

    public static Property number(String displayName, boolean required) {
        return Property.of(PropertyType.NUMBER, displayName, required);
    }

    public static Property json(String displayName, boolean required) {
        return Property.of(PropertyType.JSON, displayName, required);
    }

    public static Property object(String displayName, boolean required) {
        return Property.of(PropertyType.OBJECT, displayName, required);
    }

    public static Property list(String displayName, boolean required) {
        return Property.of(PropertyType.ARRAY, displayName, required);
    }

    public static Property file(String displayName, boolean required) {
        return Property.of(PropertyType.FILE, displayName, required);
    }

    public static Property checkbox(String displayName, boolean required) {
        return Property.of(PropertyType.CHECKBOX, displayName, required);
    }

    /** A note to the reader of the editor; it takes no value. */
    public static Property markdown(String text, String variant) {
        return Property.of(PropertyType.MARKDOWN, "Markdown", false)
                .describedAs(text)
                .withExtra("variant", TextNode.valueOf(variant));
    }

    /** A drop-down of texts: label and value by turns. */
    public static Property choice(String displayName, boolean required, String... labelsAndValues) {
        return Property.of(PropertyType.STATIC_DROPDOWN, displayName, required)
                .withOptions(IntStream.range(0, labelsAndValues.length / 2)
                        .mapToObj(i -> new Option(labelsAndValues[2 * i], TextNode.valueOf(labelsAndValues[2 * i + 1])))
                        .toList());
    }

    public static Property choice(String displayName, boolean required, List<Option> options) {
        return Property.of(PropertyType.STATIC_DROPDOWN, displayName, required).withOptions(options);
    }

    public static Property choices(String displayName, boolean required, String... labelsAndValues) {
        var one = choice(displayName, required, labelsAndValues);
        return Property.of(PropertyType.STATIC_MULTI_SELECT_DROPDOWN, displayName, required)
                .withOptions(one.options());
    }

    /**
     * Value of a drop-down in an input, which no other layer validates.
     *
     * @param absent value of an input without one
     */
    public static String chosen(ObjectNode input, String name, Property property, String absent) {
        var value = input.path(name);
        var text = value.isMissingNode() || value.isNull() ? absent : value.asText();
        if (property.options().stream()
                .anyMatch(option -> option.value().asText().equals(text))) {
            return text;
        }
        var known = property.options().stream()
                .map(option -> option.value().asText())
                .collect(Collectors.joining(", "));
        throw PieceFailure.of(name + ": expected one of " + known + ", found " + text);
    }
}
