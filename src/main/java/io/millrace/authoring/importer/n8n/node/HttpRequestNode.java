package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;

/** HTTP Request, versions 1 to 4.2. */
final class HttpRequestNode implements NodeMapping {
    private static final Set<String> LIST_KINDS = Set.of(
            "splitinbatches",
            "sort",
            "limit",
            "removeduplicates",
            "summarize",
            "aggregate",
            "filter",
            "code",
            "function");

    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD");

    @Override
    public void translate(NodeContext context) {
        var node = context.node();
        var raw = node.version() < 2 ? node.text("requestMethod") : node.text("method");
        var method = (raw.isEmpty() ? node.text("requestMethod") : raw).toUpperCase(Locale.ROOT);
        if (!method.isEmpty() && !METHODS.contains(method)) {
            context.entry().byHand("the method \"" + method + "\" is not one of the piece HTTP: GET is used");
        }
        var input = NetworkNodes.request(
                METHODS.contains(method) ? method : "GET", context.parameters().value("url"));
        pairs(context, input.withObject("/headers"), "Headers", "headerParameters");
        pairs(context, input.withObject("/queryParams"), "Query", "queryParameters");
        body(context, input);
        authentication(context, input);
        options(context, input);
        var toFile = format(node).equals("file");
        if (toFile) {
            input.put("response_to_file", true);
        }
        var step = context.piece("http", "0.11.10", "send_request", input);
        context.output(view(context, step.name(), toFile));
    }

    private static String format(WorkflowNode node) {
        var old = node.text("responseFormat");
        return old.isEmpty() ? node.text("options.response.response.responseFormat") : old;
    }

    private static View view(NodeContext context, String step, boolean toFile) {
        var node = context.node();
        var isFull = node.parameter("options.response.response.fullResponse").asBoolean(false)
                || node.parameter("options.fullResponse").asBoolean(false);
        var output = step + "['output']";
        if (toFile) {
            context.entry()
                    .near(
                            "the file is read from the field \"file\" of the step instead of the binary data of the item");
            return View.one(output);
        }
        if (isFull) {
            return View.one(output).with("statusCode", output + "['status']");
        }
        if (format(node).equals("text") || format(node).equals("string")) {
            return View.one("({ })").with("data", output + "['body']");
        }
        if (expectsItems(context)) {
            return View.itemsOf(output + "['body']");
        }
        context.entry().near("a list in the response is one item here; n8n makes an item of each entry");
        return View.one(output + "['body']");
    }

    /** True if the response is a list as far as the workflow tells: pinned items, or a next node that reads all items. */
    private static boolean expectsItems(NodeContext context) {
        var workflow = context.workflow();
        return workflow.pinned(context.node()).size() > 1
                || workflow.edgesFrom(context.node()).stream()
                        .anyMatch(edge -> LIST_KINDS.contains(edge.to().kind()));
    }

    private static void pairs(NodeContext context, ObjectNode target, String kind, String parameter) {
        var node = context.node();
        var isJson = node.text("specify" + kind).equals("json")
                || node.version() < 3 && node.parameter("jsonParameters").asBoolean(false);
        var json = kind.equals("Headers")
                ? (node.text("jsonHeaders").isEmpty() ? "headerParametersJson" : "jsonHeaders")
                : (node.text("jsonQuery").isEmpty() ? "queryParametersJson" : "jsonQuery");
        if (isJson && !node.text(json).isEmpty()) {
            putJson(context, target, node.text(json), kind);
        }
        var list = node.version() < 3
                ? node.parameter(
                        kind.equals("Headers") ? "headerParametersUi.parameter" : "queryParametersUi.parameter")
                : node.parameter(parameter + ".parameters");
        for (var pair : list) {
            put(context, target, pair);
        }
    }

    private static void put(NodeContext context, ObjectNode target, JsonNode pair) {
        var name = context.parameters().value(pair.path("name")).asText();
        if (!name.isBlank()) {
            target.set(name, context.parameters().value(pair.path("value")));
        }
    }

    /** An object as text; one that is computed as a whole cannot be split into its entries. */
    private static void putJson(NodeContext context, ObjectNode target, String text, String kind) {
        try {
            if (Json.parse(text.startsWith("=") ? text.substring(1) : text) instanceof ObjectNode object) {
                object.properties()
                        .forEach(entry -> target.set(
                                entry.getKey(),
                                context.parameters()
                                        .value(
                                                entry.getValue().isTextual() && text.startsWith("=")
                                                        ? TextNode.valueOf("="
                                                                + entry.getValue()
                                                                        .textValue())
                                                        : entry.getValue())));
                return;
            }
        } catch (JsonProcessingException malformed) {
            context.entry().byHand(kind + " are computed as a whole: " + malformed.getOriginalMessage());
            return;
        }
        context.entry().byHand(kind + " are not an object");
    }

    private static void body(NodeContext context, ObjectNode input) {
        var node = context.node();
        if (node.version() < 3) {
            oldBody(context, input);
            return;
        }
        if (!node.parameter("sendBody").asBoolean(false)) {
            return;
        }
        var type = node.text("contentType").isEmpty() ? "json" : node.text("contentType");
        switch (type) {
            case "json" ->
                jsonBody(
                        context,
                        input,
                        "jsonBody",
                        "bodyParameters.parameters",
                        node.text("specifyBody").equals("json"));
            case "form-urlencoded" -> form(context, input, "bodyParameters.parameters");
            case "multipart-form-data" -> multipart(context, input, "bodyParameters.parameters");
            case "raw" -> {
                input.put("body_type", "raw")
                        .putObject("body")
                        .set("data", context.parameters().value("body"));
                var mime = node.text("rawContentType");
                if (!mime.isEmpty()) {
                    input.withObject("/headers")
                            .set("Content-Type", context.parameters().value("rawContentType"));
                }
            }
            default ->
                context.entry()
                        .byHand("the body of the type " + type + " reads a file of the item: choose it in the step");
        }
    }

    private static void oldBody(NodeContext context, ObjectNode input) {
        var node = context.node();
        var isJson = node.parameter("jsonParameters").asBoolean(false);
        var hasFields = !node.parameter("bodyParametersUi.parameter").isMissingNode();
        if (!isJson && !hasFields || isJson && node.text("bodyParametersJson").isEmpty()) {
            return;
        }
        var type = node.text("options.bodyContentType") + node.text("bodyContentType");
        if (type.contains("form-urlencoded")) {
            form(context, input, "bodyParametersUi.parameter");
        } else if (type.contains("multipart")) {
            multipart(context, input, "bodyParametersUi.parameter");
        } else {
            jsonBody(context, input, "bodyParametersJson", "bodyParametersUi.parameter", isJson);
        }
    }

    private static void jsonBody(NodeContext context, ObjectNode input, String json, String fields, boolean isText) {
        var node = context.node();
        input.put("body_type", "json");
        var body = input.putObject("body");
        if (isText) {
            body.set("data", context.parameters().value(json));
            return;
        }
        var data = body.putObject("data");
        for (var pair : node.parameter(fields)) {
            put(context, data, pair);
        }
    }

    private static void form(NodeContext context, ObjectNode input, String fields) {
        var parts = new ArrayList<String>();
        for (var pair : context.node().parameter(fields)) {
            parts.add("encodeURIComponent(" + context.parameters().operand(pair.path("name"))
                    + ") + '=' + encodeURIComponent(" + context.parameters().operand(pair.path("value")) + ")");
        }
        input.put("body_type", "raw")
                .putObject("body")
                .put("data", NodeContext.token("[" + String.join(", ", parts) + "].join('&')"));
        input.withObject("/headers").put("Content-Type", "application/x-www-form-urlencoded");
    }

    private static void multipart(NodeContext context, ObjectNode input, String fields) {
        var list = input.put("body_type", "form_data").putObject("body").putArray("data");
        for (var pair : context.node().parameter(fields)) {
            var isFile = pair.path("parameterType").asText("").equals("formBinaryData");
            var field = list.addObject();
            field.set("fieldName", context.parameters().value(pair.path("name")));
            field.put("fieldType", isFile ? "file" : "text");
            if (isFile) {
                field.put("fileFieldValue", "");
                context.entry()
                        .byHand("the field \"" + pair.path("name").asText()
                                + "\" sends a file of the item: choose it in the step");
            } else {
                field.set("textFieldValue", context.parameters().value(pair.path("value")));
            }
        }
    }

    private static void authentication(NodeContext context, ObjectNode input) {
        var node = context.node();
        var type = node.text("authentication");
        if (type.isEmpty() || type.equals("none")) {
            return;
        }
        var generic = node.text("genericAuthType").isEmpty() ? type : node.text("genericAuthType");
        var fields = input.withObject("/authFields");
        switch (generic.toLowerCase(Locale.ROOT)) {
            case "httpbasicauth", "basicauth" -> {
                var name = CredentialNames.of(context)
                        .map(CredentialNames.Credential::connection)
                        .orElse("http-basic-auth");
                input.put("authType", "BASIC");
                fields.put("username", "{{connections['" + name + "'].username}}")
                        .put("password", "{{connections['" + name + "'].password}}");
                CredentialNames.secret(context, "httpBasicAuth");
            }
            case "httpheaderauth", "headerauth" -> {
                input.withObject("/headers").put("Authorization", CredentialNames.secret(context, "httpHeaderAuth"));
                context.entry()
                        .near("the credential's header is sent as Authorization: rename it if it has another name");
            }
            case "httpqueryauth", "queryauth" -> {
                input.withObject("/queryParams").put("key", CredentialNames.secret(context, "httpQueryAuth"));
                context.entry()
                        .near("the credential's query parameter is sent as key: rename it if it has another name");
            }
            default -> {
                input.put("authType", "BEARER_TOKEN");
                fields.put("token", CredentialNames.secret(context, generic));
            }
        }
    }

    private static void options(NodeContext context, ObjectNode input) {
        var node = context.node();
        var options = node.parameter("options");
        if (options.path("timeout").isNumber()) {
            input.put("timeout", Math.max(1, options.path("timeout").asInt() / 1000));
        }
        var redirects = options.at("/redirect/redirect/followRedirects");
        input.put(
                "followRedirects",
                redirects.asBoolean(options.path("followRedirect").asBoolean(true)));
        if (options.path("pagination").isObject()) {
            context.entry().byHand("the pagination of the request has no equivalent: it reads the first page");
        }
        if (options.path("batching").isObject()) {
            context.entry().near("requests of a loop are sent one by one without batches");
        }
        if (!options.path("proxy").asText("").isEmpty()) {
            context.entry().byHand("the proxy " + options.path("proxy").asText() + " has to be entered in the step");
        }
        if (node.parameter("options.response.response.neverError").asBoolean(false)
                || node.parameter("options.ignoreResponseCode").asBoolean(false)) {
            input.put("failureMode", "continue_all");
            context.entry().near("after an error status the output has the field response");
        }
    }
}
