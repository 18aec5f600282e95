package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Table of n8n expressions with their fidelity and value. */
public final class ExpressionTable {
    private static final Path FILE = Path.of("src/test/resources/n8n-expressions.txt");

    /** Data that the expressions read. */
    public static final String BODY = """
            {"name":"ada lovelace","email":"ada@example.com","n":3.14159,"count":4,"ok":true,"empty":"","nothing":null,
            "tags":["b","a","b"],"items":[{"id":1,"price":5,"name":"x"},{"id":2,"price":7,"name":"y"}],
            "obj":{"k":1,"deep":{"v":"z"}},"date":"2024-03-15T10:20:30.000Z","text":"Hello <b>World</b>",
            "url":"https://www.example.com/path?q=1","json":"{\\"a\\":1}","key with space":"v","ms":1710498030000}""";

    private ExpressionTable() {}

    /** A row; the value is missing if it differs between runs. */
    public record Row(String fidelity, String expression, JsonNode value) {
        /** The value of a parameter with the expression. */
        public String parameter() {
            return "=" + expression;
        }
    }

    public static List<Row> rows() {
        try (var lines = Files.lines(FILE)) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(ExpressionTable::row)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Row row(String line) {
        var first = line.indexOf(" | ");
        var last = line.lastIndexOf(" | ");
        var value = line.substring(last + 3);
        try {
            return new Row(
                    line.substring(0, first),
                    line.substring(first + 3, last),
                    value.equals("-") ? Json.object().path("missing") : Json.parse(value));
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** A workflow from a webhook to one node with this type and these parameters. */
    public static ObjectNode workflow(String type, double version, ObjectNode parameters) {
        var workflow = Json.object().put("name", "Expressions").put("id", "w1");
        workflow.putObject("settings").put("timezone", "UTC");
        var nodes = workflow.putArray("nodes");
        nodes.addObject()
                .put("name", "Webhook")
                .put("type", "n8n-nodes-base.webhook")
                .put("typeVersion", 2)
                .putObject("parameters")
                .put("responseMode", "responseNode");
        nodes.addObject()
                .put("name", "Values")
                .put("type", type)
                .put("typeVersion", version)
                .set("parameters", parameters);
        nodes.addObject()
                .put("name", "Respond")
                .put("type", "n8n-nodes-base.respondToWebhook")
                .put("typeVersion", 1.1)
                .putObject("parameters")
                .put("respondWith", "json")
                .put("responseBody", "={{ $json }}");
        var connections = workflow.putObject("connections");
        connect(connections, "Webhook", "Values");
        connect(connections, "Values", "Respond");
        return workflow;
    }

    private static void connect(ObjectNode connections, String from, String to) {
        connections
                .putObject(from)
                .putArray("main")
                .addArray()
                .addObject()
                .put("node", to)
                .put("type", "main")
                .put("index", 0);
    }

    /** A workflow that sets a field for each row. */
    public static ObjectNode setting(List<Row> rows) {
        var parameters = Json.object();
        var assignments = parameters.putObject("assignments").putArray("assignments");
        for (var index = 0; index < rows.size(); index++) {
            assignments
                    .addObject()
                    .put("name", "f" + index)
                    .put("type", "any")
                    .put("value", rows.get(index).parameter());
        }
        return workflow("n8n-nodes-base.set", 3.4, parameters);
    }

    /** A workflow that passes a field for each row to a called workflow, as inputs of a step. */
    public static ObjectNode sending(List<Row> rows) {
        var parameters = Json.object();
        var fields = parameters.putObject("errorObject");
        for (var index = 0; index < rows.size(); index++) {
            fields.put("f" + index, rows.get(index).parameter());
        }
        return workflow("n8n-nodes-base.stopAndError", 1, parameters.put("errorType", "errorObject"));
    }
}
