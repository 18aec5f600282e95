package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.SubNode;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.Locale;
import java.util.Optional;

/** Agents, chains and models as steps of the piece AI; their sub-nodes are reported by {@link AiParts}. */
record AiNodes(String kind) implements NodeMapping {
    private static final String VERSION = "0.1.12";
    private static final String MODEL = "gpt-4o-mini";

    @Override
    public void translate(NodeContext context) {
        switch (kind) {
            case "agent" -> agent(context);
            case "classify" -> classify(context);
            case "extract" -> extract(context);
            case "openai" -> openAi(context);
            default -> ask(context, prompt(context), "text");
        }
    }

    private static TextNode prompt(NodeContext context) {
        var node = context.node();
        for (var name : new String[] {"text", "prompt", "inputText", "query", "options.text"}) {
            if (node.parameter(name).isTextual() && !node.text(name).isEmpty()) {
                return TextNode.valueOf(system(context) + context.parameters().text(name));
            }
        }
        var item = context.input().with("chatInput", chatInput(context));
        return TextNode.valueOf(
                system(context) + NodeContext.token(item.fields().get("chatInput")));
    }

    private static String chatInput(NodeContext context) {
        var known = context.input().fields().get("chatInput");
        return known == null ? "(" + context.input().item() + ")?.chatInput" : known;
    }

    private static String system(NodeContext context) {
        var node = context.node();
        var text = new StringBuilder();
        for (var name : new String[] {"options.systemMessage", "options.systemPromptTemplate"}) {
            if (!node.text(name).isEmpty()) {
                text.append(context.parameters().text(name)).append("\n\n");
            }
        }
        for (var message : node.parameter("messages.messageValues")) {
            text.append(context.parameters().value(message.path("message")).asText())
                    .append("\n\n");
        }
        return text.toString();
    }

    private static String providerOf(String kind) {
        var lower = kind.toLowerCase(Locale.ROOT);
        if (lower.contains("anthropic")) {
            return "anthropic";
        }
        if (lower.contains("gemini") || lower.contains("google")) {
            return "google";
        }
        return lower.contains("azure") ? "azure" : lower.contains("openrouter") ? "openrouter" : "openai";
    }

    private static Optional<WorkflowNode> modelNode(NodeContext context) {
        return context.workflow().attachedTo(context.node()).stream()
                .filter(attachment -> attachment.kind().equals("ai_languageModel"))
                .map(SubNode::part)
                .findFirst();
    }

    private static ObjectNode model(NodeContext context) {
        var holder = modelNode(context).orElse(context.node());
        var name = "";
        for (var parameter :
                new String[] {"model.value", "modelId.value", "modelName", "modelId", "model", "chatModel"}) {
            var value = holder.parameter(parameter);
            if (name.isEmpty() && value.isTextual() && !value.asText().startsWith("=")) {
                name = value.asText();
            }
        }
        if (modelNode(context).isEmpty() && !holder.kind().contains("openai")) {
            context.entry().near("the node has no model: " + MODEL + " is asked");
        }
        context.entry().near("the model is asked with the key of the project's AI provider in place of a credential");
        return Json.object().put("provider", providerOf(holder.kind())).put("model", name.isEmpty() ? MODEL : name);
    }

    private static void ask(NodeContext context, TextNode prompt, String field) {
        var model = model(context);
        var input = Json.object()
                .put("provider", model.path("provider").asText())
                .put("model", model.path("model").asText());
        input.set("prompt", prompt);
        var step = context.piece("ai", VERSION, "askAi", input);
        AiParts.report(context, Json.array());
        var output = step.name() + "['output']";
        var view = View.one("({ })").with(field, output);
        context.output(
                field.equals("message")
                        ? View.one("({ })")
                                .with("message", "({ role: 'assistant', content: " + output + " })")
                                .with("content", output)
                                .with("text", output)
                                .with("output", output)
                        : view.with("output", output).with("response", output));
    }

    private static void agent(NodeContext context) {
        var input = Json.object();
        input.set("prompt", prompt(context));
        input.set("aiProviderModel", model(context));
        var tools = input.putArray("agentTools");
        input.putArray("structuredOutput");
        input.put(
                "maxSteps",
                Math.clamp(context.node().parameter("options.maxIterations").asInt(20), 1, 100));
        AiParts.report(context, tools);
        var step = context.piece("ai", VERSION, "run_agent", input);
        var output = step.name() + "['output']";
        context.entry().near("the text of the agent is the last block of its steps");
        context.output(View.one(output)
                .with("output", "(" + output + ".structuredOutput ?? " + output + ".steps?.at(-1)?.markdown)"));
    }

    private static void classify(NodeContext context) {
        var node = context.node();
        var model = model(context);
        var categories = Json.array();
        for (var category : node.parameter("categories.categories")) {
            categories.add(context.parameters().value(category.path("category")));
        }
        if (categories.isEmpty()) {
            for (var name : (node.text("options.categories").isEmpty()
                            ? "Positive, Neutral, Negative"
                            : node.text("options.categories"))
                    .split(",")) {
                categories.add(name.strip());
            }
        }
        var input = Json.object()
                .put("provider", model.path("provider").asText())
                .put("model", model.path("model").asText());
        input.set("text", prompt(context));
        input.set("categories", categories);
        var step = context.piece("ai", VERSION, "classifyText", input);
        AiParts.report(context, Json.array());
        var output = step.name() + "['output']";
        var router = context.router(true);
        var evaluations = router.name() + "['output']['branches']";
        for (var index = 0; index < categories.size(); index++) {
            context.branch(
                    router,
                    index,
                    Conditions.branch(
                            categories.get(index).asText("Output " + index),
                            "(String(" + output + ") === "
                                    + Json.text(TextNode.valueOf(
                                            categories.get(index).asText())) + ")"),
                    evaluations + "[" + index + "].evaluation");
        }
        router.addBranch(Conditions.fallback("Otherwise"), context.sequence().inner());
        context.output(context.input());
    }

    @Override
    public int selectingOutputs(WorkflowNode node) {
        if (!kind.equals("classify")) {
            return 1;
        }
        var count = node.parameter("categories.categories").size();
        var named = node.text("options.categories");
        return count > 0 ? Math.max(2, count) : named.isEmpty() ? 3 : Math.max(2, named.split(",").length);
    }

    private static void extract(NodeContext context) {
        var fields = new StringBuilder();
        for (var attribute : context.node().parameter("attributes.attributes")) {
            fields.append("\n- ")
                    .append(attribute.path("name").asText())
                    .append(" (")
                    .append(attribute.path("type").asText("string"))
                    .append("): ")
                    .append(attribute.path("description").asText(""));
        }
        var schema = context.node().text("jsonSchemaExample") + context.node().text("inputSchema");
        var prompt = TextNode.valueOf(prompt(context).textValue()
                + "\n\nRespond only with a JSON object with these fields:" + ScriptTexts.literal(fields + schema));
        ask(context, prompt, "text");
        var output = context.outcome().main().name() + "['output']";
        context.entry().near("the fields are asked for in the prompt");
        context.output(View.one("({ })")
                .with("output", "JSON.parse(String(" + output + ").replace(/^```(?:json)?|```$/g, ''))"));
    }

    /** The node OpenAI of both packages. */
    private static void openAi(NodeContext context) {
        var node = context.node();
        var resource = node.text("resource").isEmpty() ? "text" : node.text("resource");
        var operation = node.text("operation").isEmpty() ? "message" : node.text("operation");
        var isText = resource.equals("text") || resource.equals("chat") || resource.equals("assistant");
        if (!isText && !resource.equals("image")
                || resource.equals("image")
                        && !operation.equals("generate")
                        && !operation.equals("create")
                        && !operation.equals("message")) {
            GapStep.add(
                    context, "the operation \"" + operation + "\" of \"" + resource + "\" in OpenAI has no equivalent");
            AiParts.report(context, Json.array());
            return;
        }
        if (resource.equals("image")) {
            var model = model(context);
            var input = Json.object()
                    .put("provider", model.path("provider").asText())
                    .put("model", model.path("model").asText());
            input.set("prompt", context.parameters().value("prompt"));
            var step = context.piece("ai", VERSION, "generateImage", input);
            context.output(View.ofStep(step.name(), false));
            return;
        }
        var prompt = new StringBuilder();
        for (var holder : new String[] {"messages.values", "prompt.messages", "responses.values"}) {
            for (var message : node.parameter(holder)) {
                prompt.append(prompt.isEmpty() ? "" : "\n\n")
                        .append(context.parameters()
                                .value(message.path("content"))
                                .asText(""));
            }
        }
        ask(context, prompt.isEmpty() ? prompt(context) : TextNode.valueOf(prompt.toString()), "message");
        if (node.parameter("jsonOutput").asBoolean(false)) {
            context.entry().near("the text is not parsed as JSON");
        }
        if (resource.equals("assistant")) {
            context.entry().near("the assistant's instructions and files at OpenAI are not used");
        }
    }
}
