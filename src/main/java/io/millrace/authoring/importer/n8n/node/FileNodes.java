package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;

/** Nodes for files: conversions become steps of the pieces CSV and File Helper. */
record FileNodes(String kind) implements NodeMapping {
    @Override
    public Level level(WorkflowNode node) {
        return kind.equals("converttofile") ? Level.LIST : Level.ITEM;
    }

    @Override
    public void translate(NodeContext context) {
        switch (kind) {
            case "converttofile" -> toFile(context, operation(context));
            case "extractfromfile" -> fromFile(context, operation(context));
            case "compression" -> compression(context);
            case "spreadsheet" -> {
                if (context.node().text("operation").equals("toFile")) {
                    toFile(
                            context,
                            context.node().text("fileFormat").isEmpty()
                                    ? "xls"
                                    : context.node().text("fileFormat"));
                } else {
                    fromFile(
                            context,
                            context.node().text("fileFormat").isEmpty()
                                    ? "csv"
                                    : context.node().text("fileFormat"));
                }
            }
            case "move" -> {
                if (context.node().text("mode").equals("jsonToBinary")) {
                    toFile(context, "toJson");
                } else {
                    fromFile(
                            context,
                            context.node().parameter("options.encoding").isMissingNode()
                                            && context.node()
                                                    .parameter("setAllData")
                                                    .asBoolean(true)
                                    ? "fromJson"
                                    : "text");
                }
            }
            default ->
                GapStep.add(
                        context,
                        "flows cannot read or write files of the server's disk: use a step with a file or a storage service");
        }
    }

    private static String operation(NodeContext context) {
        var operation = context.node().text("operation");
        return operation.isEmpty() ? "csv" : operation;
    }

    /** Address of the file that a step before this one made. */
    private static String address(NodeContext context) {
        var item = context.input().item();
        context.entry()
                .near(
                        "the file is the field \"file\", \"url\" or \"data\" of the item before, in place of its binary data");
        return "(" + item + "?.file ?? " + item + "?.url ?? " + item + "?.data)";
    }

    private static String file(NodeContext context) {
        return NodeContext.token(address(context));
    }

    private static void toFile(NodeContext context, String operation) {
        var node = context.node();
        var name = node.text("options.fileName").isEmpty()
                ? "file." + (operation.equals("toJson") ? "json" : operation.equals("toText") ? "txt" : "csv")
                : context.parameters().text("options.fileName");
        var items = context.input().items();
        String content;
        switch (operation) {
            case "toJson" -> content = NodeContext.token("JSON.stringify(" + items + ", null, 2)");
            case "toText", "toBinary" ->
                content = NodeContext.token("(" + context.input().item() + ")?.["
                        + ScriptTexts.quoted(
                                node.text("sourceProperty").isEmpty() ? "data" : node.text("sourceProperty"))
                        + "]");
            default -> {
                if (!operation.equals("csv")) {
                    context.entry().near("the file has the format CSV instead of " + operation);
                }
                var csv = context.piece(
                        "csv",
                        "0.4.13",
                        "convert_json_to_csv",
                        Json.object()
                                .put("json_array", NodeContext.token(items))
                                .put("delimiter_type", ","));
                content = "{{" + csv.name() + "['output']}}";
            }
        }
        var step = context.piece(
                "file-helper",
                "0.2.0",
                "createFile",
                Json.object()
                        .put("content", content)
                        .put("fileName", name)
                        .put("encoding", operation.equals("toBinary") ? "base64" : "utf8"));
        context.entry().near("the output is the address of the file in the field \"url\"");
        context.output(View.ofStep(step.name(), false));
    }

    private static void fromFile(NodeContext context, String operation) {
        var node = context.node();
        var isBase64 = operation.equals("binaryToPropery") || operation.equals("binaryToProperty");
        var read = context.piece(
                "file-helper",
                "0.2.0",
                "read_file",
                Json.object().put("file", file(context)).put("readOptions", isBase64 ? "base64" : "text"));
        var text = read.name() + "['output']" + (isBase64 ? "['base64']" : "['text']");
        var target = node.text("destinationKey").isEmpty()
                        || node.text("destinationKey").startsWith("=")
                ? "data"
                : node.text("destinationKey");
        switch (operation) {
            case "csv" -> {
                var csv = context.piece(
                        "csv",
                        "0.4.13",
                        "convert_csv_to_json",
                        Json.object()
                                .put("csv_text", "{{" + text + "}}")
                                .put(
                                        "has_headers",
                                        node.parameter("options.headerRow").asBoolean(true))
                                .put("delimiter_type", ","));
                context.output(View.ofStep(csv.name(), true));
            }
            case "fromJson" -> context.output(View.one("({ })").with(target, "JSON.parse(" + text + ")"));
            case "text", "html", "xml", "fromIcs", "binaryToPropery", "binaryToProperty" ->
                context.output(View.one("({ })").with(target, text));
            default -> {
                context.entry().byHand("the format " + operation + " is read as text: use a piece that reads it");
                context.output(View.one("({ })").with(target, text));
            }
        }
    }

    private static void compression(NodeContext context) {
        var isCompress = context.node().text("operation").equals("compress");
        var input = Json.object();
        var step = isCompress
                ? context.piece(
                        "file-helper",
                        "0.2.0",
                        "zipFiles",
                        input.put("files", NodeContext.token("[{ file: " + address(context) + " }]"))
                                .put("outputFileName", "archive.zip"))
                : context.piece("file-helper", "0.2.0", "unzipFile", input.put("file", file(context)));
        context.entry().near("archives are ZIP files");
        context.output(View.ofStep(step.name(), false));
    }
}
