package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.Locale;

/** Nodes that convert one value of an item: HTML, XML, Markdown, Crypto. */
record TextNodes(String kind) implements NodeMapping {
    @Override
    public void translate(NodeContext context) {
        switch (kind) {
            case "html" -> html(context);
            case "xml" -> xml(context);
            case "markdown" -> markdown(context);
            default -> crypto(context);
        }
    }

    private static String destination(WorkflowNode node, String path, String usual) {
        var name = node.text(path);
        return name.isEmpty() || name.startsWith("=") ? usual : name;
    }

    private static void html(NodeContext context) {
        var node = context.node();
        var operation = node.text("operation").isEmpty() && node.kind().equals("htmlextract")
                ? "extractHtmlContent"
                : node.text("operation");
        switch (operation) {
            case "extractHtmlContent" -> {
                var values = node.parameter("extractionValues.values");
                if (!node.text("sourceData").equals("json")
                        && !node.text("sourceData").isEmpty()) {
                    context.entry().byHand("HTML of a file is not read: convert the file to text first");
                }
                var source = node.text("dataPropertyName").isEmpty() ? "data" : node.text("dataPropertyName");
                context.entry()
                        .near(
                                "selectors of the form tag, #id, .class, [attribute] and their descendants are read by a small"
                                        + " parser in code");
                context.mapItems("$extractHtml($get($json, " + ScriptTexts.quoted(source) + "), "
                        + context.parameters().script(values) + ")");
            }
            case "convertToHtmlTable" -> {
                context.entry().near("the table is written without custom attributes");
                context.mapItems(
                        "({ table: '<table><thead><tr>' + Object.keys($json).map((key) => '<th>' + key + '</th>').join('') + "
                                + "'</tr></thead><tbody><tr>' + Object.values($json).map((value) => '<td>' + value + '</td>').join('') + '</tr></tbody></table>' })");
            }
            default -> context.mapItems("({ html: " + context.parameters().script("html") + " })");
        }
    }

    private static void xml(NodeContext context) {
        var node = context.node();
        var source = node.text("dataPropertyName").isEmpty() ? "data" : node.text("dataPropertyName");
        var value = "(" + context.input().item() + ")?.[" + ScriptTexts.quoted(source) + "]";
        if (node.text("mode").equals("jsonToxml")) {
            var input = Json.object()
                    .put("json", NodeContext.token(context.input().item()))
                    .put("header", true);
            var step = context.piece("xml", "0.2.0", "convert-json-to-xml", input);
            context.entry().near("attributes are written by the rules of the piece XML");
            context.output(View.one("({ })").with(source, step.name() + "['output']"));
            return;
        }
        var input = Json.object().put("xml", NodeContext.token(value)).put("ignoreAttributes", false);
        var step = context.piece("xml", "0.2.0", "convert-xml-to-json", input);
        context.entry().near("attributes have the prefix @_ and repeated elements become lists");
        context.output(View.one(step.name() + "['output']"));
    }

    private static void markdown(NodeContext context) {
        var node = context.node();
        var isToHtml = node.text("mode").equals("markdownToHtml");
        var input = Json.object();
        input.set(isToHtml ? "markdown" : "html", context.parameters().value(isToHtml ? "markdown" : "html"));
        if (isToHtml) {
            input.put("flavor", "vanilla")
                    .put("headerLevelStart", 1)
                    .put("tables", true)
                    .put("noHeaderId", true)
                    .put("simpleLineBreaks", false)
                    .put("openLinksInNewWindow", false);
        }
        var step = context.piece("text-helper", "0.6.2", isToHtml ? "markdown_to_html" : "html_to_markdown", input);
        context.entry().near("the text is written by another converter: white space can differ");
        context.output(context.input().with(destination(node, "destinationKey", "data"), step.name() + "['output']"));
    }

    private static void crypto(NodeContext context) {
        var node = context.node();
        var action = node.text("action").isEmpty() ? "hash" : node.text("action");
        var method = node.text("type").toLowerCase(Locale.ROOT);
        var input = Json.object();
        var name = switch (action) {
            case "generate" -> {
                if (!node.text("encodingType").isEmpty()
                        && !node.text("encodingType").equals("uuid")) {
                    context.entry().near("the random text is an UUID");
                }
                yield "generate-uuid";
            }
            case "hmac" -> {
                input.set("text", context.parameters().value("value"));
                input.set("secretKey", context.parameters().value("secret"));
                input.put("secretKeyEncoding", "utf-8")
                        .put("method", method.isEmpty() ? "md5" : method)
                        .put("outputEncoding", node.text("encoding").equals("base64") ? "base64" : "hex");
                yield "hmac-signature";
            }
            case "sign" -> {
                context.entry().byHand("the piece Crypto does not sign with a private key");
                input.set("text", context.parameters().value("value"));
                input.put("method", "sha256");
                yield "hash-text";
            }
            default -> {
                input.set("text", context.parameters().value("value"));
                input.put("method", method.isEmpty() ? "md5" : method);
                yield "hash-text";
            }
        };
        if (node.text("encoding").equals("base64") && action.equals("hash")) {
            context.entry().near("the hash is written as hexadecimal digits instead of Base64");
        }
        if (node.parameter("binaryData").asBoolean(false)) {
            context.entry().byHand("the hash of a file has no equivalent");
        }
        var step = context.piece("crypto", "0.1.0", name, input);
        context.output(context.input()
                .with(
                        destination(node, "dataPropertyName", "data"),
                        step.name() + "['output']" + (action.equals("generate") ? "['uuid']" : "")));
    }
}
