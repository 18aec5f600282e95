package io.millrace.authoring.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;

/** Changes of a template; type and author are immutable (contract admin-api 6.4). */
public record TemplateChanges(
        TemplateTexts texts,
        Optional<ArrayNode> tags,
        FieldChange<String> blogUrl,
        FieldChange<JsonNode> metadata,
        Optional<List<String>> categories,
        Optional<TemplateFields.TemplateFlows> flows,
        Optional<TemplateStatus> status) {
    public record TemplateTexts(Optional<String> name, Optional<String> summary, Optional<String> description) {}

    /** Errors are recorded in the fields. */
    static TemplateChanges read(Fields body, String now) {
        return new TemplateChanges(
                new TemplateTexts(
                        body.optionalText("name"), body.optionalText("summary"), body.optionalText("description")),
                Optional.of("tags").filter(body::has).map(_ -> TemplateFields.tags(body)),
                body.changedText("blogUrl"),
                TemplateFields.metadata(body),
                body.optionalTexts("categories"),
                Optional.of("flows").filter(body::has).map(_ -> TemplateFields.flows(body, now)),
                body.optionalOption("status", TemplateStatus.class));
    }

    TemplateContent of(TemplateContent content) {
        return new TemplateContent(
                texts.name().orElse(content.name()),
                texts.summary().orElse(content.summary()),
                texts.description().orElse(content.description()),
                tags.orElse(content.tags()),
                blogUrl.or(content.blogUrl()),
                metadata.or(content.metadata()),
                categories.orElse(content.categories()),
                flows.map(TemplateFields.TemplateFlows::flows).orElse(content.flows()),
                flows.map(TemplateFields.TemplateFlows::pieces).orElse(content.pieces()));
    }
}
