package io.millrace.authoring.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/**
 * Content of a template.
 *
 * @param tags {@code {title, color, icon?}} each
 * @param blogUrl null when there is none
 * @param metadata null when there is none
 * @param flows template flows in the schema of today
 * @param pieces names of all pieces of the flows
 */
public record TemplateContent(
        String name,
        String summary,
        String description,
        ArrayNode tags,
        String blogUrl,
        JsonNode metadata,
        List<String> categories,
        ArrayNode flows,
        List<String> pieces) {
    public TemplateContent {
        categories = List.copyOf(categories);
        pieces = List.copyOf(pieces);
    }
}
