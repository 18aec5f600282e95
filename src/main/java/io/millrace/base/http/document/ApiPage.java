package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.http.page.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The API document as a page for people: one file without scripts, fonts or pictures from elsewhere, readable in the
 * dark, on paper and on a telephone.
 */
final class ApiPage {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    private final ObjectNode document;
    private final String style;
    private final String base;
    private final List<Operation> operations = new ArrayList<>();

    /** An operation with the place where it is found. */
    private record Operation(String method, String path, JsonNode pathItem, JsonNode node) {
        boolean hasTag(String tag) {
            return node.path("tags").path(0).asText().equals(tag);
        }

        /** Whether the operation is served at the root of the host too. */
        boolean isAtRoot() {
            return pathItem.path("servers").findValuesAsText("url").contains("/");
        }

        String anchor() {
            return Html.anchor("operation", node.path("operationId").asText());
        }
    }

    ApiPage(ObjectNode document, String style) {
        this.document = document;
        this.style = style;
        this.base = document.path("servers").path(0).path("url").asText();
        for (var path : document.path("paths").properties()) {
            for (var entry : path.getValue().properties()) {
                if (METHODS.contains(entry.getKey())) {
                    var method = path.getValue().path("x-any-method").asBoolean() ? "any" : entry.getKey();
                    operations.add(new Operation(method, path.getKey(), path.getValue(), entry.getValue()));
                }
            }
        }
    }

    String html() {
        var info = document.path("info");
        var html = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(Html.escape(info.path("title").asText()))
                .append(" API</title>\n<style>")
                .append(style)
                .append("</style></head>\n<body>\n");
        navigation(html);
        html.append("<main><header><h1>")
                .append(Html.escape(info.path("title").asText()))
                .append(" API <small>")
                .append(Html.escape(info.path("version").asText()))
                .append("</small></h1>\n<p class=\"lead\">")
                .append(Html.inline(info.path("summary").asText()))
                .append(" <a href=\"openapi.json\">OpenAPI ")
                .append(Html.escape(document.path("openapi").asText()))
                .append(" document</a></p>\n")
                .append(Html.prose(info.path("description").asText()))
                .append("</header>\n");
        document.path("tags").forEach(tag -> section(html, tag));
        schemas(html);
        return html.append("</main></body></html>\n").toString();
    }

    private void navigation(StringBuilder html) {
        html.append("<nav aria-label=\"Contents\">\n");
        for (var tag : document.path("tags")) {
            var name = tag.path("name").asText();
            html.append("<h2><a href=\"#").append(Html.anchor("tag", name)).append("\">");
            html.append(Html.escape(name)).append("</a></h2><ul>\n");
            for (var operation : operations) {
                if (operation.hasTag(name)) {
                    html.append("<li><a href=\"#").append(operation.anchor()).append("\">");
                    html.append(Html.escape(operation.node().path("summary").asText()));
                    html.append("</a>\n");
                }
            }
            html.append("</ul>\n");
        }
        html.append("<h2><a href=\"#schemas\">Schemas</a></h2></nav>\n");
    }

    private void section(StringBuilder html, JsonNode tag) {
        var name = tag.path("name").asText();
        html.append("<section id=\"").append(Html.anchor("tag", name)).append("\"><h2>");
        html.append(Html.escape(name)).append("</h2>\n");
        html.append(Html.prose(tag.path("description").asText()));
        operations.stream().filter(operation -> operation.hasTag(name)).forEach(operation -> article(html, operation));
        html.append("</section>\n");
    }

    private void article(StringBuilder html, Operation operation) {
        var node = operation.node();
        html.append("<article id=\"").append(operation.anchor()).append("\"><h3>");
        html.append(Html.inline(node.path("summary").asText())).append("</h3>\n<p class=\"call\"><b class=\"");
        html.append(operation.method()).append("\">").append(operation.method().toUpperCase(Locale.ROOT));
        html.append("</b> ").append(Html.code(base + operation.path()));
        html.append(operation.isAtRoot() ? " and " + Html.code(operation.path()) : "")
                .append("</p>\n");
        html.append(Html.prose(node.path("description").asText()));
        html.append("<p class=\"access\">")
                .append(access(node.path("x-access").asText()))
                .append("</p>\n");
        parameters(html, operation);
        body(html, node);
        responses(html, node.path("responses"));
        html.append("</article>\n");
    }

    /** The access rule in words; its notation is that of the test that compares it with the route. */
    private static String access(String rule) {
        var words = rule.split(" ", -1);
        return switch (words[0]) {
            case "public" -> "For everybody.";
            case "anybody" -> "For everybody; a token that is sent must be good.";
            case "engine" -> "For the code of pieces.";
            case "newcomer" -> "For people who have no platform yet.";
            case "platform" -> "For users and API keys of the platform.";
            case "platform-admin" ->
                words.length > 1 ? "For administrators of the platform." : "For administrators and API keys.";
            default ->
                "For members of the project" + permission(words[1])
                        + (words[1].equals("users") ? "." : ", and API keys.");
        };
    }

    private static String permission(String word) {
        return Set.of("of", "users").contains(word) ? "" : " with " + Html.code(word);
    }

    private void parameters(StringBuilder html, Operation operation) {
        var rows = new StringBuilder();
        for (var list : List.of(operation.pathItem(), operation.node())) {
            for (var entry : list.path("parameters")) {
                var parameter = resolved(entry);
                rows.append("<tr><td>").append(Html.code(parameter.path("name").asText()));
                rows.append(parameter.path("required").asBoolean() ? "<b>*</b>" : "");
                rows.append("<td>").append(parameter.path("in").asText());
                rows.append("<td>").append(SchemaHtml.type(parameter.path("schema")));
                rows.append("<td>")
                        .append(Html.inline(parameter.path("description").asText()));
                rows.append('\n');
            }
        }
        if (!rows.isEmpty()) {
            html.append("<h4>Parameters</h4>\n<table><thead><tr><th>Name<th>In<th>Type<th>Meaning</thead><tbody>\n");
            html.append(rows).append("</tbody></table>\n");
        }
    }

    private void body(StringBuilder html, JsonNode operation) {
        if (operation.has("requestBody")) {
            var body = resolved(operation.path("requestBody"));
            html.append("<h4>Body</h4>\n")
                    .append(Html.prose(body.path("description").asText()));
            for (var content : body.path("content").properties()) {
                content(html, content.getKey(), content.getValue());
            }
        }
    }

    private void responses(StringBuilder html, JsonNode responses) {
        html.append("<h4>Answers</h4>\n<dl>\n");
        for (var entry : responses.properties()) {
            var response = resolved(entry.getValue());
            html.append("<dt>").append(Html.code(entry.getKey())).append("<dd>");
            html.append(Html.inline(response.path("description").asText())).append('\n');
            for (var content : response.path("content").properties()) {
                content(html, content.getKey(), content.getValue());
            }
        }
        html.append("</dl>\n");
    }

    private void content(StringBuilder html, String mediaType, JsonNode content) {
        var schema = content.path("schema");
        html.append("<p><small>").append(Html.escape(mediaType)).append("</small> ");
        html.append(schema.isObject() ? SchemaHtml.type(schema) : "anything").append("</p>\n");
        html.append(schema.has("properties") ? SchemaHtml.properties(schema) : "");
        html.append(SchemaHtml.example(content.path("example")));
    }

    private void schemas(StringBuilder html) {
        html.append("<section id=\"schemas\"><h2>Schemas</h2>\n<p>Fields with <b>*</b> are always there.</p>\n");
        for (var schema : document.path("components").path("schemas").properties()) {
            html.append("<article id=\"")
                    .append(Html.anchor("schema", schema.getKey()))
                    .append("\"><h3>");
            html.append(Html.escape(schema.getKey())).append("</h3>\n");
            html.append(Html.prose(schema.getValue().path("description").asText()));
            html.append("<p>").append(SchemaHtml.type(schema.getValue())).append("</p>\n");
            html.append(SchemaHtml.properties(schema.getValue()));
            html.append(SchemaHtml.example(schema.getValue().path("examples").path(0)));
            html.append("</article>\n");
        }
        html.append("</section>\n");
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }
}
