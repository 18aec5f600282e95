package io.millrace.authoring.template;

import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;

/**
 * Filter of a list of templates (contract admin-api 6.3).
 *
 * @param pieces any of them is used; empty for all
 * @param tags any of them is a tag's title; empty for all
 * @param search part of name or description, without regard to case
 */
public record TemplateFilter(
        Optional<TemplateType> type,
        List<String> pieces,
        List<String> tags,
        Optional<String> search,
        Optional<String> category) {
    public TemplateFilter {
        pieces = List.copyOf(pieces);
        tags = List.copyOf(tags);
    }

    static TemplateFilter read(Fields query) {
        return new TemplateFilter(
                query.optionalOption("type", TemplateType.class),
                query.texts("pieces"),
                query.texts("tags"),
                query.optionalText("search").filter(text -> !text.isBlank()),
                query.optionalText("category"));
    }
}
