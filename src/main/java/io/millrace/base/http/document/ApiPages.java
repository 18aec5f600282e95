package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.http.page.Html;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * The API document as HTML pages: a list of operations and schemas by area, next to one operation or one schema at a time.
 * Each is one file without fonts, pictures or scripts from other hosts, readable in dark mode, in print, on a phone and
 * without its script, which only searches and tries operations.
 */
final class ApiPages {
    /** Most requested areas; the others follow in the order of the document. */
    private static final List<String> FIRST_AREAS =
            List.of("Flows", "Runs", "Webhooks", "Projects", "Connections", "Tables", "Agents");

    private final ObjectNode document;
    private final String head;
    private final String tail;
    private final String navigation;
    private final Map<String, ApiOperation> operations = new LinkedHashMap<>();
    private final OperationHtml articles;

    ApiPages(ObjectNode document, String style, String script) {
        this.document = document;
        collect();
        this.articles = new OperationHtml(document);
        var title = Html.escape(document.path("info").path("title").asText()) + " API";
        this.head = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s" + title
                + "</title>\n<style>" + style.replace("%", "%%") + "</style></head>\n<body>\n";
        this.tail = "</main><script>" + script + "</script></body></html>\n";
        this.navigation = navigation();
    }

    private void collect() {
        for (var path : document.path("paths").properties()) {
            for (var entry : path.getValue().properties()) {
                if (ApiOperation.METHODS.contains(entry.getKey())) {
                    var method = path.getValue().path("x-any-method").asBoolean() ? "any" : entry.getKey();
                    var operation = new ApiOperation(method, path.getKey(), path.getValue(), entry.getValue());
                    operations.put(operation.id(), operation);
                }
            }
        }
    }

    String index() {
        var info = document.path("info");
        return page(
                "",
                "<header><h1>" + Html.escape(info.path("title").asText()) + " API <small>"
                        + Html.escape(info.path("version").asText()) + "</small></h1>\n<p class=\"lead\">"
                        + Html.inline(info.path("summary").asText()) + " <a href=\"/api/v1/openapi.json\">OpenAPI "
                        + Html.escape(document.path("openapi").asText()) + " document</a></p>\n"
                        + Html.prose(info.path("description").asText()) + "</header>\n" + areas());
    }

    Optional<String> operation(String id) {
        return Optional.ofNullable(operations.get(id))
                .map(operation -> page(operation.summary() + " · ", articles.article(operation)));
    }

    Optional<String> schema(String name) {
        var schema = document.path("components").path("schemas").path(name);
        return schema.isMissingNode()
                ? Optional.empty()
                : Optional.of(page(
                        name + " · ",
                        "<article><h1>" + Html.escape(name) + "</h1>\n"
                                + Html.prose(schema.path("description").asText()) + "<p>" + SchemaHtml.type(schema)
                                + "</p>\n<p class=\"access\">Fields with <b>*</b> are always present.</p>\n"
                                + SchemaHtml.properties(schema)
                                + SchemaHtml.example(schema.path("examples").path(0)) + "</article>\n"));
    }

    private String page(String title, String content) {
        return head.formatted(Html.escape(title)) + navigation + "<main id=\"main\">" + content + tail;
    }

    private List<JsonNode> tags() {
        var tags = new ArrayList<JsonNode>();
        document.path("tags").forEach(tags::add);
        tags.sort(Comparator.comparingInt(tag -> {
            var place = FIRST_AREAS.indexOf(tag.path("name").asText());
            return place < 0 ? FIRST_AREAS.size() : place;
        }));
        return tags;
    }

    private List<ApiOperation> of(JsonNode tag) {
        return operations.values().stream()
                .filter(operation -> operation.area().equals(tag.path("name").asText()))
                .toList();
    }

    private String navigation() {
        var html = new StringBuilder("<nav aria-label=\"Operations\">\n<p><a href=\"/api/v1/docs\">Overview</a></p>\n")
                .append(
                        "<input id=\"search\" type=\"search\" placeholder=\"Search ( / )\" aria-label=\"Search operations\">\n")
                .append("<p id=\"found\" role=\"status\"></p>\n");
        for (var tag : tags()) {
            html.append("<section><h2>")
                    .append(Html.escape(tag.path("name").asText()))
                    .append("</h2><ul>\n");
            for (var operation : of(tag)) {
                html.append("<li title=\"")
                        .append(Html.escape(operation.path()))
                        .append("\"><a href=\"")
                        .append(operation.page())
                        .append("\"><b class=\"")
                        .append(operation.method())
                        .append("\">")
                        .append(operation.method().toUpperCase(Locale.ROOT))
                        .append("</b> ")
                        .append(Html.escape(operation.summary()))
                        .append("</a>\n");
            }
            html.append("</ul></section>\n");
        }
        return html.append("</nav>\n").toString();
    }

    private String areas() {
        var html = new StringBuilder("<dl class=\"areas\">\n");
        for (var tag : tags()) {
            var first = of(tag).stream().findFirst();
            var name = Html.escape(tag.path("name").asText());
            html.append("<dt>")
                    .append(first.map(operation -> "<a href=\"" + operation.page() + "\">" + name + "</a>")
                            .orElse(name))
                    .append("<dd>")
                    .append(Html.inline(tag.path("description").asText()))
                    .append('\n');
        }
        return html.append("</dl>\n").toString();
    }

    List<String> paths() {
        var paths = new ArrayList<String>();
        operations.values().forEach(operation -> paths.add(operation.page()));
        var schemas = document.path("components").path("schemas").fieldNames();
        StreamSupport.stream(((Iterable<String>) () -> schemas).spliterator(), false)
                .forEach(name -> paths.add(SchemaHtml.page(name)));
        return paths;
    }
}
