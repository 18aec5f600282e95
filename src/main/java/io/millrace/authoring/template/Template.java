package io.millrace.authoring.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;

/**
 * A template as it is stored (contract admin-api 6.1).
 *
 * @param platformId owner of a custom template; null otherwise
 */
public record Template(
        String id,
        Instant created,
        Instant updated,
        TemplateType type,
        String platformId,
        String author,
        TemplateStatus status,
        TemplateContent content) {

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("name", content.name())
                .put("type", type.name())
                .put("summary", content.summary())
                .put("description", content.description())
                .put("author", author)
                .put("blogUrl", content.blogUrl())
                .put("platformId", platformId)
                .put("status", status.name());
        json.set("tags", content.tags());
        json.set("metadata", content.metadata());
        texts(json, "categories", content.categories());
        texts(json, "pieces", content.pieces());
        json.set("flows", content.flows());
        json.putArray("tables");
        return json;
    }

    private static void texts(ObjectNode json, String field, List<String> texts) {
        texts.forEach(json.putArray(field)::add);
    }

    Template changed(TemplateChanges changes, Instant now) {
        return new Template(
                id, created, now, type, platformId, author, changes.status().orElse(status), changes.of(content));
    }
}
