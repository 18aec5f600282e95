package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL and MySQL as statements.
 *
 * @param isPostgres true for the syntax of PostgreSQL, false for that of MySQL
 */
record SqlNode(boolean isPostgres) implements NodeMapping {
    @Override
    public void translate(NodeContext context) {
        var node = context.node();
        var operation = node.text("operation").isEmpty() ? "insert" : node.text("operation");
        var args = Json.array();
        var query = switch (operation) {
            case "executeQuery" -> {
                arguments(context, args);
                yield context.parameters().value("query");
            }
            case "insert", "upsert", "update" -> TextNode.valueOf(write(context, operation, args));
            case "select" ->
                TextNode.valueOf("SELECT * FROM " + table(context) + where(context, args) + limit(context));
            case "deleteTable", "delete" ->
                TextNode.valueOf((node.text("deleteCommand").equals("drop")
                                ? "DROP TABLE "
                                : node.text("deleteCommand").equals("truncate") ? "TRUNCATE TABLE " : "DELETE FROM ")
                        + table(context)
                        + where(context, args));
            default -> null;
        };
        if (query == null) {
            GapStep.add(context, "the operation \"" + operation + "\" has no equivalent");
            return;
        }
        var piece = isPostgres ? "postgres" : "mysql";
        var input = Json.object();
        CredentialNames.put(context, input);
        input.set("query", query);
        input.set("args", args);
        var step =
                context.piece(piece, isPostgres ? "0.2.0" : "0.2.7", isPostgres ? "run-query" : "execute_query", input);
        DatabaseNodes.needsPackage(context, piece);
        context.output(View.list("(Array.isArray(" + step.name() + "['output']) ? " + step.name() + "['output'] : ("
                + step.name() + "['output']?.results ?? [" + step.name() + "['output'] ]))"));
    }

    private void arguments(NodeContext context, ArrayNode args) {
        var raw = context.node().text("options.queryReplacement").isEmpty()
                ? context.node().text("additionalFields.queryParams")
                : context.node().text("options.queryReplacement");
        if (raw.isEmpty()) {
            return;
        }
        for (var part : replacements(raw.startsWith("=") ? raw.substring(1) : raw)) {
            args.add(context.parameters().value(TextNode.valueOf((raw.startsWith("=") ? "=" : "") + part.strip())));
        }
    }

    /** Values between the commas outside of expressions in braces, without empty ones at the end. */
    static List<String> replacements(String text) {
        var parts = new ArrayList<String>();
        var depth = 0;
        var from = 0;
        for (var at = 0; at < text.length(); at++) {
            var character = text.charAt(at);
            if (character == '{') {
                depth += depth > 0 || text.startsWith("{{", at) ? 1 : 0;
            } else if (character == '}') {
                depth = Math.max(0, depth - 1);
            } else if (character == ',' && depth == 0) {
                parts.add(text.substring(from, at));
                from = at + 1;
            }
        }
        parts.add(text.substring(from));
        while (!parts.isEmpty() && parts.getLast().isEmpty()) {
            parts.removeLast();
        }
        return parts;
    }

    private String name(String text) {
        return isPostgres ? "\"" + text.replace("\"", "\"\"") + "\"" : "`" + text.replace("`", "``") + "`";
    }

    private String table(NodeContext context) {
        var raw = AppNodes.parameter(context, "table");
        var schema = AppNodes.parameter(context, "schema");
        var text =
                raw.asText("").startsWith("=") ? context.parameters().value(raw).asText() : name(raw.asText("table"));
        return isPostgres && schema.isTextual() && !schema.asText().startsWith("=")
                ? name(schema.asText()) + "." + text
                : text;
    }

    private String placeholder(int number) {
        return isPostgres ? "$" + number : "?";
    }

    private String write(NodeContext context, String operation, ArrayNode args) {
        var node = context.node();
        var names = new ArrayList<String>();
        var values = new ArrayList<JsonNode>();
        for (var field : node.parameter("columns.value").properties()) {
            names.add(field.getKey());
            values.add(context.parameters().value(field.getValue()));
        }
        for (var field : node.parameter("valuesToSend.values")) {
            names.add(field.path("column").asText("column"));
            values.add(context.parameters().value(field.path("value")));
        }
        if (names.isEmpty()) {
            for (var name : node.text("columns").split(",")) {
                if (!name.isBlank()) {
                    names.add(name.split(":")[0].strip());
                    values.add(TextNode.valueOf(NodeContext.token("("
                            + context.input().item() + ")?.[" + Json.text(TextNode.valueOf(names.getLast())) + "]")));
                }
            }
        }
        if (names.isEmpty()) {
            context.entry().byHand("the columns are those of the item: name them in the statement");
        }
        values.forEach(args::add);
        if (operation.equals("update")) {
            var key = keys(node.text("updateKey"), node.parameter("columns.matchingColumns"));
            var sets = new ArrayList<String>();
            for (var index = 0; index < names.size(); index++) {
                sets.add(name(names.get(index)) + " = " + placeholder(index + 1));
            }
            var wheres = new ArrayList<String>();
            for (var one : key) {
                var at = names.indexOf(one);
                args.add(
                        at >= 0
                                ? values.get(at)
                                : TextNode.valueOf(NodeContext.token("("
                                        + context.input().item() + ")?.[" + Json.text(TextNode.valueOf(one)) + "]")));
                wheres.add(name(one) + " = " + placeholder(args.size()));
            }
            return "UPDATE " + table(context) + " SET " + String.join(", ", sets) + " WHERE "
                    + String.join(" AND ", wheres);
        }
        var columns = names.stream().map(this::name).toList();
        var places = new ArrayList<String>();
        for (var index = 1; index <= names.size(); index++) {
            places.add(placeholder(index));
        }
        var insert = "INSERT INTO " + table(context) + " (" + String.join(", ", columns) + ") VALUES ("
                + String.join(", ", places) + ")";
        if (operation.equals("upsert")) {
            var assigned = columns.stream()
                    .map(column -> column + " = " + (isPostgres ? "EXCLUDED." + column : "VALUES(" + column + ")"))
                    .toList();
            insert += isPostgres
                    ? " ON CONFLICT ("
                            + String.join(
                                    ", ",
                                    keys("", node.parameter("columns.matchingColumns")).stream()
                                            .map(this::name)
                                            .toList())
                            + ") DO UPDATE SET " + String.join(", ", assigned)
                    : " ON DUPLICATE KEY UPDATE " + String.join(", ", assigned);
        }
        return isPostgres ? insert + " RETURNING *" : insert;
    }

    private static List<String> keys(String text, JsonNode matching) {
        var keys = new ArrayList<String>();
        matching.forEach(name -> keys.add(name.asText()));
        if (keys.isEmpty()) {
            keys.add(text.isEmpty() || text.startsWith("=") ? "id" : text.split(",")[0].strip());
        }
        return keys;
    }

    private String where(NodeContext context, ArrayNode args) {
        var parts = new ArrayList<String>();
        for (var condition : context.node().parameter("where.values")) {
            var operator = condition.path("condition").asText("equal");
            var column = name(condition.path("column").asText("column"));
            if (operator.equals("IS NULL") || operator.equals("IS NOT NULL")) {
                parts.add(column + " " + operator);
                continue;
            }
            args.add(context.parameters().value(condition.path("value")));
            var symbol = operator.equals("equal") ? "=" : operator.matches("[<>=!]{1,2}|LIKE|ILIKE") ? operator : "=";
            parts.add(column + " " + symbol + " " + placeholder(args.size()));
        }
        var glue = context.node().text("combineConditions").equals("OR") ? " OR " : " AND ";
        return parts.isEmpty() ? "" : " WHERE " + String.join(glue, parts);
    }

    private static String limit(NodeContext context) {
        var node = context.node();
        return node.parameter("returnAll").asBoolean(false)
                ? ""
                : " LIMIT " + Math.max(1, node.parameter("limit").asInt(50));
    }
}
