package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Initial body of a call: the example of the document, in the first format that it names. */
sealed interface CallBody {
    record None() implements CallBody {}

    record OfJson(String text) implements CallBody {}

    record OfForm(List<Field> fields) implements CallBody {}

    /** @param isFile true if its value is the content of a file */
    record Field(String name, boolean isFile, boolean isRequired) {}

    /** The fields of a form as its schema has them, those of all its parts. */
    static OfForm form(JsonNode schema, UnaryOperator<JsonNode> resolve) {
        var fields = new ArrayList<Field>();
        collect(resolve.apply(schema), resolve, fields);
        return new OfForm(List.copyOf(fields));
    }

    private static void collect(JsonNode schema, UnaryOperator<JsonNode> resolve, List<Field> fields) {
        schema.path("allOf").forEach(part -> collect(resolve.apply(part), resolve, fields));
        for (var property : schema.path("properties").properties()) {
            var isFile = property.getValue().path("format").asText().equals("binary");
            var isRequired = schema.path("required")
                    .valueStream()
                    .anyMatch(name -> name.asText().equals(property.getKey()));
            fields.add(new Field(property.getKey(), isFile, isRequired));
        }
    }
}
