package io.millrace.authoring.template;

import io.millrace.base.core.input.Fields;

/** Definition of a new template (seed endpoint 3, contract admin-api 6.2). */
public record NewTemplate(TemplateType type, String author, TemplateContent content) {
    static NewTemplate read(Fields body, String now) {
        var name = body.text("name");
        var summary = body.text("summary");
        var description = body.text("description");
        var author = body.text("author");
        var categories = body.requiredTexts("categories");
        var type = body.option("type", TemplateType.class);
        var tags = TemplateFields.tags(body);
        var blogUrl = body.optionalText("blogUrl").orElse(null);
        var metadata = TemplateFields.metadata(body).or(null);
        var flows = TemplateFields.flows(body, now);
        return new NewTemplate(
                type,
                author,
                new TemplateContent(
                        name,
                        summary,
                        description,
                        tags,
                        blogUrl,
                        metadata,
                        categories,
                        flows.flows(),
                        flows.pieces()));
    }
}
