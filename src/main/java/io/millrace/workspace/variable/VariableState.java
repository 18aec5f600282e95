package io.millrace.workspace.variable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;

/**
 * Portable form of a variable for transfers between projects: its name, and never its value.
 *
 * @param metadata free-form object, or null
 */
public record VariableState(String name, ObjectNode metadata) {
    /** Parses the output of {@link #toJson}; violations are recorded in the fields. */
    public static VariableState read(Fields given) {
        return new VariableState(
                given.text("name", Variable.NAME),
                given.orNull().optionalObject("metadata").orElse(null));
    }

    public ObjectNode toJson() {
        var json = Json.object().put("name", name);
        if (metadata != null) {
            json.set("metadata", metadata);
        }
        return json;
    }
}
