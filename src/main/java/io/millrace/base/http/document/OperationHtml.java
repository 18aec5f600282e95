package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.http.page.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

final class OperationHtml {
    private static final String JSON = "application/json";
    private static final String FORM = "multipart/form-data";

    private final ObjectNode document;
    private final String base;

    OperationHtml(ObjectNode document) {
        this.document = document;
        this.base = document.path("servers").path(0).path("url").asText();
    }

    String article(ApiOperation operation) {
        var node = operation.node();
        var html = new StringBuilder("<article><p class=\"area\">")
                .append(Html.escape(operation.area()))
                .append("</p><h1>")
                .append(Html.inline(operation.summary()))
                .append("</h1>\n<p class=\"call\"><b class=\"")
                .append(operation.method())
                .append("\">")
                .append(operation.method().toUpperCase(Locale.ROOT))
                .append("</b> ")
                .append(Html.code(base + operation.path()))
                .append(operation.isAtRoot() ? " and " + Html.code(operation.path()) : "")
                .append("</p>\n")
                .append(Html.prose(node.path("description").asText()))
                .append("<p class=\"access\">")
                .append(access(node.path("x-access").asText()))
                .append("</p>\n");
        var parameters = parameters(operation);
        table(html, parameters);
        bodies(html, node);
        responses(html, node.path("responses"));
        var body = body(node);
        samples(html, operation, body);
        form(html, operation, parameters, body);
        return html.append("</article>\n").toString();
    }

    /** The access rule in words; its notation is that of the test that compares it with the route. */
    private static String access(String rule) {
        var words = rule.split(" ", -1);
        return switch (words[0]) {
            case "public" -> "No authentication.";
            case "anybody" -> "No authentication needed; a token that is sent must be valid.";
            case "engine" -> "For code of pieces.";
            case "newcomer" -> "For users without a platform.";
            case "platform" -> "For users and API keys of the platform.";
            case "platform-admin" ->
                words.length > 1 ? "For administrators of the platform." : "For administrators and API keys.";
            default ->
                "For members of the project" + permission(words[1])
                        + (List.of(words).contains("users") ? "." : ", and API keys.");
        };
    }

    private static String permission(String word) {
        return Set.of("of", "users").contains(word) ? "" : " with " + Html.code(word);
    }

    private List<JsonNode> parameters(ApiOperation operation) {
        var parameters = new ArrayList<JsonNode>();
        for (var list : List.of(operation.pathItem(), operation.node())) {
            list.path("parameters").forEach(entry -> parameters.add(resolved(entry)));
        }
        return parameters;
    }

    private static void table(StringBuilder html, List<JsonNode> parameters) {
        if (parameters.isEmpty()) {
            return;
        }
        html.append("<h2>Parameters</h2>\n<table><thead><tr><th>Name<th>In<th>Type<th>Meaning</thead><tbody>\n");
        for (var parameter : parameters) {
            html.append("<tr><td>")
                    .append(Html.code(parameter.path("name").asText()))
                    .append(parameter.path("required").asBoolean() ? "<b>*</b>" : "")
                    .append("<td>")
                    .append(Html.escape(parameter.path("in").asText()))
                    .append("<td>")
                    .append(SchemaHtml.type(parameter.path("schema")))
                    .append("<td>")
                    .append(Html.inline(parameter.path("description").asText()))
                    .append('\n');
        }
        html.append("</tbody></table>\n");
    }

    private void bodies(StringBuilder html, JsonNode operation) {
        if (operation.has("requestBody")) {
            var body = resolved(operation.path("requestBody"));
            html.append("<h2>Body</h2>\n")
                    .append(Html.prose(body.path("description").asText()));
            for (var content : body.path("content").properties()) {
                content(html, content.getKey(), content.getValue());
            }
        }
    }

    private void responses(StringBuilder html, JsonNode responses) {
        html.append("<h2>Answers</h2>\n<dl>\n");
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
        html.append(schema.isObject() ? SchemaHtml.type(schema) : "anything")
                .append(codes(resolved(schema)))
                .append("</p>\n");
        html.append(schema.has("properties") ? SchemaHtml.properties(schema) : "");
        html.append(SchemaHtml.example(content.path("example")));
    }

    private static String codes(JsonNode schema) {
        return schema.findValues("code").stream()
                .flatMap(code -> code.path("enum").valueStream())
                .map(code -> " " + Html.code(code.asText()))
                .collect(Collectors.joining());
    }

    private CallBody body(JsonNode operation) {
        var contents = resolved(operation.path("requestBody")).path("content");
        for (var content : contents.properties()) {
            if (content.getKey().equals(JSON)) {
                return new CallBody.OfJson(example(content.getValue()));
            }
            if (content.getKey().equals(FORM)) {
                return CallBody.form(content.getValue().path("schema"), this::resolved);
            }
        }
        return new CallBody.None();
    }

    private String example(JsonNode content) {
        for (var example : List.of(
                content.path("example"),
                content.path("examples").path(0),
                content.path("examples").isObject() && !content.path("examples").isEmpty()
                        ? content.path("examples").elements().next().path("value")
                        : Json.object().path("none"),
                resolved(content.path("schema")).path("examples").path(0))) {
            if (!example.isMissingNode()) {
                return Json.pretty(example);
            }
        }
        return "{}";
    }

    private void samples(StringBuilder html, ApiOperation operation, CallBody body) {
        html.append("<h2>Calls</h2>\n");
        for (var sample : CallSamples.of(operation, base + operation.path(), body)) {
            html.append("<details")
                    .append(sample.language().equals("curl") ? " open" : "")
                    .append("><summary>")
                    .append(Html.escape(sample.language()))
                    .append("</summary><pre class=\"sample\" tabindex=\"0\">")
                    .append(Html.escape(sample.text()))
                    .append("</pre></details>\n");
        }
    }

    private void form(StringBuilder html, ApiOperation operation, List<JsonNode> parameters, CallBody body) {
        var method =
                operation.method().equals("any") ? "POST" : operation.method().toUpperCase(Locale.ROOT);
        html.append("<h2>Try it</h2>\n<form id=\"try\" data-method=\"")
                .append(method)
                .append("\" data-path=\"")
                .append(Html.escape(base + operation.path()))
                .append("\">\n<p class=\"access\">Sent from this page, with your session if you are signed in.</p>\n");
        for (var parameter : parameters) {
            var place = parameter.path("in").asText();
            if (place.equals("path") || place.equals("query")) {
                input(
                        html,
                        parameter.path("name").asText(),
                        place,
                        parameter.path("required").asBoolean(),
                        "text");
            }
        }
        switch (body) {
            case CallBody.None _ -> {}
            case CallBody.OfJson(var json) ->
                html.append("<label><span>Body</span><textarea name=\"body\" rows=\"8\" spellcheck=\"false\">")
                        .append(Html.escape(json))
                        .append("</textarea></label>\n");
            case CallBody.OfForm(var fields) ->
                fields.forEach(field ->
                        input(html, field.name(), "form", field.isRequired(), field.isFile() ? "file" : "text"));
        }
        html.append("<label><span>API key instead of the session</span>")
                .append("<input id=\"key\" type=\"password\" autocomplete=\"off\"></label>\n")
                .append("<button>Send</button>\n<output id=\"answer\"></output>\n</form>\n")
                .append("<noscript><p>This form needs JavaScript.</p></noscript>\n");
    }

    private static void input(StringBuilder html, String name, String place, boolean isRequired, String type) {
        html.append("<label><span>")
                .append(Html.escape(name))
                .append("</span><input name=\"")
                .append(Html.escape(name))
                .append("\" data-in=\"")
                .append(place)
                .append("\" type=\"")
                .append(type)
                .append("\"")
                .append(isRequired ? " required" : "")
                .append("></label>\n");
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }
}
