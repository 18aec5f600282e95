package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;

/** Wait, Respond to Webhook, Execute Workflow, Form pages. */
record FlowNodes(String kind) implements NodeMapping {
    @Override
    public Level level(WorkflowNode node) {
        return kind.equals("executeworkflow") && node.text("mode").equals("each") ? Level.ITEM : Level.LIST;
    }

    @Override
    public void translate(NodeContext context) {
        switch (kind) {
            case "wait" -> wait(context);
            case "respond" -> respond(context);
            case "form" -> form(context);
            case "reply" -> reply(context);
            default -> execute(context);
        }
    }

    private static void wait(NodeContext context) {
        var node = context.node();
        switch (node.text("resume")) {
            case "webhook", "form" -> {
                var input = Json.object();
                context.piece("approval", "0.1.13", "wait_for_approval", input);
                context.entry()
                        .byHand(
                                "the run waits for the link of Create Approval Links in place of $execution.resumeUrl: send that link");
            }
            case "specificTime" -> {
                var input = Json.object();
                input.set("delayUntilTimestamp", context.parameters().value("dateTime"));
                context.piece("delay", "0.3.26", "delay_until", input);
            }
            default -> {
                var unit = node.text("unit").isEmpty() ? "hours" : node.text("unit");
                var input = Json.object().put("unit", unit);
                input.set(
                        "delayFor",
                        node.parameter("amount").isMissingNode()
                                ? Json.number(node.version() < 1.1 ? 1.0 : 5.0)
                                : context.parameters().value("amount"));
                if (node.text("unit").isEmpty() && node.version() >= 1.1) {
                    input.put("unit", "seconds");
                }
                context.piece("delay", "0.3.26", "delayFor", input);
            }
        }
        context.output(context.input());
    }

    private static void respond(NodeContext context) {
        var node = context.node();
        var type = node.text("respondWith").isEmpty() ? "firstIncomingItem" : node.text("respondWith");
        var fields = Json.object();
        if (node.parameter("options.responseCode").isMissingNode()) {
            fields.put("status", 200);
        } else {
            fields.set("status", context.parameters().value("options.responseCode"));
        }
        var headers = fields.putObject("headers");
        for (var header : node.parameter("options.responseHeaders.entries")) {
            headers.set(
                    context.parameters().value(header.path("name")).asText("name"),
                    context.parameters().value(header.path("value")));
        }
        var responseType = "json";
        switch (type) {
            case "allIncomingItems" ->
                fields.put("body", NodeContext.token(context.input().items()));
            case "json" -> fields.set("body", context.parameters().value("responseBody"));
            case "text" -> {
                responseType = "raw";
                fields.set("body", context.parameters().value("responseBody"));
            }
            case "redirect" -> {
                responseType = "redirect";
                fields.set("body", context.parameters().value("redirectURL"));
            }
            case "noData" -> {
                responseType = "raw";
                fields.put("body", "");
            }
            case "binary" -> {
                responseType = "raw";
                fields.put("body", "");
                context.entry().byHand("a file of the item as the response has no equivalent");
            }
            default -> {
                if (!type.equals("firstIncomingItem")) {
                    context.entry().byHand("the response \"" + type + "\" has no equivalent: the first item is sent");
                }
                fields.put("body", NodeContext.token(context.input().item()));
            }
        }
        var input = Json.object().put("responseType", responseType);
        input.set("fields", fields);
        input.put("respond", "respond");
        context.piece("webhook", "0.1.29", "return_response", input);
        context.output(context.input());
    }

    private static void reply(NodeContext context) {
        var input = Json.object().put("mode", "advanced").put("respond", "stop");
        input.putObject("response")
                .put("response", NodeContext.token(context.input().items()));
        context.piece("mcp", "0.1.0", "reply_to_mcp_client", input);
    }

    private static void form(NodeContext context) {
        var input = Json.object();
        var isEnd = context.node().text("operation").equals("completion");
        input.put(
                "markdown",
                context.parameters().text("completionTitle") + "\n\n"
                        + context.parameters().text("completionMessage"));
        context.piece("forms", "0.5.0", "return_response", input);
        if (isEnd) {
            context.entry().near("the form shows the text as Markdown");
        } else {
            context.entry().byHand("a form has one page: ask for these fields on the first one");
        }
        context.output(context.input());
    }

    private static void execute(NodeContext context) {
        var node = context.node();
        var target = AppNodes.parameter(context, "workflowId");
        var name = node.text("workflowId.cachedResultName");
        var input = Json.object();
        input.set("flowId", context.parameters().value(target));
        input.put("mode", "simple");
        var payload = input.putObject("flowProps").putObject("payload");
        var values = node.parameter("workflowInputs.value");
        if (values.isObject() && !values.isEmpty()) {
            values.properties()
                    .forEach(field ->
                            payload.set(field.getKey(), context.parameters().value(field.getValue())));
        } else {
            input.withObject("/flowProps")
                    .put("payload", NodeContext.token(context.input().item()));
        }
        input.put(
                "waitForResponse", node.parameter("options.waitForSubWorkflow").asBoolean(true));
        var step = context.piece("subflows", "0.6.3", "callFlow", input);
        context.entry()
                .near("choose the flow that was the workflow " + (name.isEmpty() ? "" : "\"" + name + "\" ")
                        + target.asText("") + "; it ends with the step Return Response of the piece Subflows");
        if (context.hasManyItems()) {
            context.entry().near("the called flow receives the first item");
        }
        context.output(View.one(step.name() + "['output']['data']"));
    }
}
