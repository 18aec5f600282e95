package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.graph.SubNode;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** Sub-nodes of AI nodes: models, memories, tools and output parsers, with what becomes of each. */
final class AiParts {
    private AiParts() {}

    /**
     * Records an entry for each sub-node and its own sub-nodes, and adds tools.
     *
     * @param tools tools of the agent step
     */
    static void report(NodeContext context, ArrayNode tools) {
        var pending = new ArrayDeque<SubNode>(context.workflow().attachedTo(context.node()));
        var seen = new HashSet<String>();
        while (!pending.isEmpty()) {
            var attachment = pending.poll();
            if (seen.add(attachment.part().name())) {
                context.outcome().addPart(entry(context, attachment, tools));
                pending.addAll(context.workflow().attachedTo(attachment.part()));
            }
        }
    }

    private static NodeEntry entry(NodeContext context, SubNode attachment, ArrayNode tools) {
        var entry = new NodeEntry(attachment.part());
        entry.setStep(context.entry().step());
        var parent = attachment.parent().name();
        switch (attachment.kind()) {
            case "ai_languageModel" ->
                entry.near("the model is a setting of the step of \"" + parent
                        + "\"; options such as the temperature are those of the server");
            case "ai_memory" -> entry.near("the conversation is remembered only within a run of the agent");
            case "ai_outputParser" ->
                entry.near("give the fields of the output in the setting Structured Output of the step of \"" + parent
                        + "\"");
            case "ai_tool" -> tool(entry, attachment, tools);
            case "ai_embedding", "ai_document", "ai_textSplitter" ->
                entry.near("a knowledge base of this server splits and embeds its documents by itself");
            default ->
                entry.byHand("a part of the kind " + attachment.kind()
                        + " has no equivalent: use a knowledge base of the agent");
        }
        return entry;
    }

    private static void tool(NodeEntry entry, SubNode attachment, ArrayNode tools) {
        var part = attachment.part();
        var kind = part.kind();
        var name = part.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        if (kind.contains("httprequest")) {
            var tool = tools.addObject().put("type", "PIECE").put("toolName", name);
            var piece = tool.putObject("pieceMetadata")
                    .put("pieceName", "@activepieces/piece-http")
                    .put("pieceVersion", "0.11.10")
                    .put("actionName", "send_request");
            request(entry, part, piece.putObject("predefinedInput").putObject("fields"));
        } else if (kind.contains("toolworkflow")) {
            var id = part.parameter("workflowId").isObject() ? part.text("workflowId.value") : part.text("workflowId");
            tools.addObject().put("type", "FLOW").put("toolName", name).put("externalFlowId", id);
            entry.near("choose the flow that was the workflow " + id);
        } else if (AgentToolFlows.isFlow(part)) {
            tools.addObject()
                    .put("type", "FLOW")
                    .put("toolName", name)
                    .put("externalFlowId", AgentToolFlows.keyOf(part))
                    .put("flowDisplayName", part.name());
            entry.near("a flow of its own, which the model calls with the values of $fromAI as arguments");
        } else if (kind.contains("mcpclient")) {
            mcp(entry, part, name, tools);
        } else if (kind.equals("ai:toolthink") || kind.equals("ai:toolcalculator")) {
            entry.near("the tool was left out: the model thinks and calculates in its own steps");
        } else {
            entry.byHand("add the tool to the agent's step: a piece, a flow or a tool server");
        }
    }

    /** Fixed values of the request are those of the node; the agent gives values from {@code $fromAI} and placeholders. */
    private static void request(NodeEntry entry, WorkflowNode part, ObjectNode fields) {
        for (var name : List.of("method", "url")) {
            var text = part.text(name);
            if (text.isEmpty()) {
                continue;
            }
            var isFixed = !text.startsWith("=") && (!name.equals("url") || text.indexOf('{') < 0);
            var field = fields.putObject(name).put("mode", isFixed ? "choose-yourself" : "agent-decide");
            if (isFixed) {
                field.put("value", text);
            } else {
                entry.near("the agent gives the " + name + ", which was " + text);
            }
        }
        entry.near("the agent gives the other values of the request");
    }

    private static void mcp(NodeEntry entry, WorkflowNode part, String name, ArrayNode tools) {
        var url = part.text("endpointUrl").isEmpty() ? part.text("sseEndpoint") : part.text("endpointUrl");
        if (url.isEmpty() || url.startsWith("=")) {
            entry.byHand("the address of the tool server is computed: add the server to the agent's step");
            return;
        }
        var isStream = part.text("serverTransport").equals("httpStreamable")
                || part.text("sseEndpoint").isEmpty();
        var tool = tools.addObject()
                .put("type", "MCP")
                .put("toolName", name)
                .put("serverUrl", url)
                .put("protocol", isStream ? "streamable-http" : "sse");
        tool.putObject("auth").put("type", "none");
        entry.near("all tools of the server are offered; a credential has to be entered in the agent's step");
    }
}
