package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.node.BooleanNode;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

final class FormFields {
    private FormFields() {}

    /**
     * Name, type and further properties of a field, and whether it is required.
     *
     * @param types label and value of each type between a text area and a toggle
     */
    static Map<String, Property> of(Map<String, Property> more, String... types) {
        var choices = Stream.of(
                        Stream.of("Text", "text", "Text Area", "text_area"),
                        Stream.of(types),
                        Stream.of("Toggle", "toggle"))
                .flatMap(part -> part)
                .toArray(String[]::new);
        var fields = new LinkedHashMap<String, Property>();
        fields.put("displayName", Props.shortText("Field Name", true));
        fields.put("type", Props.choice("Field Type", true, choices));
        fields.putAll(more);
        fields.put("required", Props.checkbox("Required", false).defaultingTo(BooleanNode.FALSE));
        return fields;
    }
}
