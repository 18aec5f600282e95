package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.base.core.Json;
import java.util.Locale;

final class DatabaseNodes {
    private DatabaseNodes() {}

    static void needsPackage(NodeContext context, String piece) {
        context.entry().near("needs the package @activepieces/piece-" + piece);
    }

    static final class MongoDb implements NodeMapping {
        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var operation = node.text("operation").isEmpty() ? "find" : node.text("operation");
            var input = Json.object();
            CredentialNames.put(context, input);
            input.set("collection", context.parameters().value("collection"));
            var item = NodeContext.token(context.input().item());
            var key = node.text("updateKey").isEmpty() ? "_id" : node.text("updateKey");
            var action = switch (operation) {
                case "find" -> {
                    input.set("query", context.parameters().value("query"));
                    if (!node.text("options.sort").isEmpty()) {
                        input.set("sort", context.parameters().value("options.sort"));
                    }
                    if (node.parameter("options.limit").isNumber()) {
                        input.set("limit", node.parameter("options.limit"));
                    }
                    yield "find_documents";
                }
                case "aggregate" -> {
                    input.set("pipeline", context.parameters().value("query"));
                    yield "aggregate_documents";
                }
                case "insert" -> {
                    input.put("documents", item);
                    yield "insert_documents";
                }
                case "update", "findOneAndUpdate", "findOneAndReplace" -> {
                    input.putObject("filter")
                            .put(
                                    key,
                                    NodeContext.token("(" + context.input().item() + ")?.["
                                            + Json.text(TextNode.valueOf(key)) + "]"));
                    input.putObject("update").put("$set", item);
                    input.put("upsert", node.parameter("upsert").asBoolean(false));
                    yield "update_documents";
                }
                case "delete" -> {
                    input.set("filter", context.parameters().value("query"));
                    yield "delete_documents";
                }
                default -> "";
            };
            if (action.isEmpty()) {
                GapStep.add(context, "the operation \"" + operation + "\" of MongoDB has no equivalent");
                return;
            }
            needsPackage(context, "mongodb");
            if (!node.text("fields").isEmpty()) {
                context.entry().near("all fields of the item are written, not only " + node.text("fields"));
            }
            var step = context.piece("mongodb", "0.1.7", action, input);
            var isList = operation.equals("find") || operation.equals("aggregate");
            context.output(
                    isList
                            ? View.list("[" + step.name() + "['output']?.documents ?? " + step.name()
                                    + "['output']].flat()")
                            : View.ofStep(step.name(), false));
        }
    }

    /** Values of Redis, kept in the storage of the project. */
    static final class Redis implements NodeMapping {
        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var operation = node.text("operation").isEmpty()
                    ? "info"
                    : node.text("operation").toLowerCase(Locale.ROOT);
            var input = Json.object();
            var name = node.text("propertyName").isEmpty()
                            || node.text("propertyName").startsWith("=")
                    ? "propertyName"
                    : node.text("propertyName").split("\\.")[0];
            input.set("key", context.parameters().value(node.text("list").isEmpty() ? "key" : "list"));
            input.put("store_scope", "COLLECTION");
            var action = switch (operation) {
                case "get" -> "get";
                case "set" -> {
                    input.set("value", context.parameters().value("value"));
                    yield "put";
                }
                case "delete" -> "remove_value";
                case "push" -> {
                    input.putArray("value").add(context.parameters().value("messageData"));
                    input.put("ignore_if_exists", false);
                    yield "add_to_list";
                }
                default -> "";
            };
            if (action.isEmpty()) {
                GapStep.add(context, "the operation \"" + operation + "\" of Redis has no equivalent");
                return;
            }
            context.entry()
                    .near(
                            "the value is in the storage of the project instead of Redis, where other programs do not see it; it does not expire");
            var step = context.piece("store", "0.6.20", action, input);
            context.output(
                    operation.equals("get")
                            ? View.one("({ })").with(name, step.name() + "['output']")
                            : context.input());
        }
    }
}
