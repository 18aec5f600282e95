package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Operations of applications as requests to their interfaces with the piece HTTP, which needs no package.
 *
 * @param app kind of the node in the table
 * @param credential type of the usual credential
 * @param resource resource of a node without one
 * @param operation operation of a node without one
 */
record AppNodes(String app, String credential, String resource, String operation) implements NodeMapping {
    /** Operations that nodes without one have, by resource. */
    private static final List<String> USUAL =
            List.of("create", "search", "post", "send", "append", "get", "getall", "list", "add", "dispatch");

    private static final Pattern PLACE = Pattern.compile("\\{([\\w$.,]+)\\}");
    private static final Pattern REFERENCE = Pattern.compile("@(\\w[\\w.]*(?:,\\w[\\w.]*)*)|(\\$\\w+(?::\\w+)?)");

    @Override
    public void translate(NodeContext context) {
        var node = context.node();
        var chosenResource = lower(node.text("resource"), resource);
        var chosenOperation = lower(node.text("operation"), operation);
        var row = AppTable.row(app, chosenResource, chosenOperation);
        for (var usual : USUAL) {
            if (row.isEmpty() && node.text("operation").isEmpty()) {
                row = AppTable.row(app, chosenResource, usual);
            }
        }
        if (row.isEmpty()) {
            GapStep.add(
                    context,
                    "the operation \"" + chosenOperation + "\" of \"" + chosenResource + "\" in " + app
                            + " has no equivalent");
            return;
        }
        context.entry()
                .near("a request to the interface of " + app
                        + ": the output is its response, and optional parameters outside the" + " table are not sent");
        send(context, row.get());
    }

    private static String lower(String given, String usual) {
        return given.isEmpty() || given.startsWith("=") ? usual : given.toLowerCase(Locale.ROOT);
    }

    private void send(NodeContext context, AppTable.Row row) {
        var isFile = row.method().equals("FILE");
        var token = CredentialNames.secret(context, credential);
        var url = url(context, row.url(), token);
        var input = NetworkNodes.request(isFile ? "GET" : row.method(), TextNode.valueOf(url));
        if (isFile) {
            input.put("response_to_file", true);
        }
        if (!row.url().contains("{$token}")) {
            input.put("authType", "BEARER_TOKEN");
            input.withObject("/authFields").put("token", token);
        }
        if (app.equals("discord")) {
            input.put("authType", "NONE");
            input.withObject("/headers").put("Authorization", "Bot " + token);
            input.withObject("/authFields").removeAll();
        }
        if (app.equals("notion")) {
            input.withObject("/headers").put("Notion-Version", "2022-06-28");
        }
        var body = Json.object();
        for (var field : row.fields()) {
            put(context, field, field.isQuery() ? input.withObject("/queryParams") : body);
        }
        if (!body.isEmpty()) {
            input.put("body_type", "json");
            input.withObject("/body").set("data", body);
        }
        var step = context.piece("http", "0.11.10", "send_request", input);
        var output = step.name() + "['output']['body']";
        if (isFile) {
            context.output(View.one(step.name() + "['output']"));
        } else if (row.items().isEmpty()) {
            context.output(View.one(output));
        } else {
            var path = row.items().equals(".") ? "" : "." + row.items();
            context.output(View.list("(" + output + path + " ?? [])"));
        }
    }

    private static String url(NodeContext context, String url, String token) {
        return PLACE.matcher(url)
                .replaceAll(place -> Matcher.quoteReplacement(
                        place.group(1).equals("$token")
                                ? token
                                : "{{encodeURIComponent("
                                        + context.parameters().operand(parameter(context, place.group(1))) + ")}}"));
    }

    private static void put(NodeContext context, AppTable.Field field, ObjectNode target) {
        var value = value(context, field.value());
        if (field.name().equals("*")) {
            if (value instanceof ObjectNode object) {
                target.setAll(object);
            }
        } else if (!value.isNull() && !value.isMissingNode()) {
            target.set(field.name(), value);
        }
    }

    /** A parameter, or JSON with references to parameters. */
    private static JsonNode value(NodeContext context, String text) {
        var reference = REFERENCE.matcher(text);
        if (reference.matches()) {
            return referenced(context, text);
        }
        if (!text.startsWith("{") && !text.startsWith("[") && !text.equals("true")) {
            return TextNode.valueOf(REFERENCE
                    .matcher(text)
                    .replaceAll(found -> Matcher.quoteReplacement(
                            referenced(context, found.group()).asText(""))));
        }
        try {
            return Json.parse(REFERENCE
                    .matcher(text)
                    .replaceAll(found -> Matcher.quoteReplacement(Json.text(referenced(context, found.group())))));
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("a row of the table of applications is malformed: " + text, malformed);
        }
    }

    private static JsonNode referenced(NodeContext context, String reference) {
        return switch (reference.startsWith("$") ? reference : "") {
            case "$columns" -> AppFields.columns(context);
            case "$additional" -> AppFields.additional(context);
            case "$notion" -> AppFields.notion(context);
            case "$notionblocks" -> AppFields.notionBlocks(context);
            case "$base64:fileContent" -> AppFields.base64(context, "fileContent");
            default -> {
                var raw = parameter(context, reference.substring(1));
                yield raw.isMissingNode() || raw.isTextual() && raw.textValue().isEmpty()
                        ? NullNode.getInstance()
                        : context.parameters().value(raw);
            }
        };
    }

    /** The first parameter that is given; the value of a resource locator. */
    static JsonNode parameter(NodeContext context, String names) {
        for (var name : names.split(",")) {
            var raw = context.node().parameter(name);
            if (raw.isArray() && raw.size() > 0 && raw.get(0).isObject() && !name.contains(".")) {
                return raw;
            }
            var value =
                    raw.path("__rl").asBoolean(false) || raw.has("mode") && raw.has("value") ? raw.path("value") : raw;
            if (!value.isMissingNode() && !value.isNull() && !value.asText("x").isEmpty()) {
                return value;
            }
        }
        return MissingNode.getInstance();
    }
}
