package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.CutText;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelTool;
import io.millrace.piece.model.StructuredAnswer;
import io.millrace.piece.model.ToolSchema;
import io.millrace.workspace.project.IconColor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Prompt for drafting an agent, and parser of the model's answer (contract agents 1.2, draft). The result is always a
 * draft that could be saved: invalid parts of the answer are omitted or truncated. Pure.
 */
final class AgentDrafts {
    static final int TOOLS_MAX = 4;

    /** Limit on actions in the prompt: some thousand tokens. */
    private static final int ACTIONS_MAX = 400;

    private static final String TOOL = "draft_agent";
    private static final int OUTPUT_TOKENS = 4_000;
    private static final String NAME = "displayName";
    private static final String INSTRUCTIONS = "instructions";

    private AgentDrafts() {}

    /**
     * An action of a piece that the project may use.
     *
     * @param version exact
     */
    record Offer(String pieceName, String version, String actionName, String displayName) {
        String id() {
            return pieceName + "/" + actionName;
        }
    }

    /** Offers from a list of pieces with their actions, truncated at the limit. */
    static Map<String, Offer> offers(ArrayNode pieces) {
        var offers = new LinkedHashMap<String, Offer>();
        for (var piece : pieces) {
            for (var action : piece.path("suggestedActions")) {
                if (offers.size() < ACTIONS_MAX) {
                    var offer = new Offer(
                            piece.path("name").asText(),
                            piece.path("version").asText(),
                            action.path("name").asText(),
                            action.path(NAME).asText());
                    offers.put(offer.id(), offer);
                }
            }
        }
        return offers;
    }

    static ModelRequest question(String prompt, Map<String, Offer> offers) {
        var list = new StringBuilder();
        offers.values()
                .forEach(offer -> list.append(offer.id())
                        .append(": ")
                        .append(offer.displayName())
                        .append('\n'));
        return ModelRequest.of(
                        "You design agents for a workflow automation platform. Write instructions that say what the agent does, in"
                                + " which order, and what it must not do. Choose tools only from this list, and only those that"
                                + " the task needs:\n" + list,
                        new ModelMessage.UserMessage(prompt),
                        OUTPUT_TOKENS)
                .forcing(new ModelTool(TOOL, "Receives the draft of the agent.", schema()));
    }

    private static ObjectNode schema() {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        properties.putObject(NAME).put("type", "string");
        properties.putObject("description").put("type", "string");
        var icons = properties.putObject("icon").put("type", "string").putArray("enum");
        Arrays.stream(AgentIcon.values()).map(AgentIcon::word).forEach(icons::add);
        var colors = properties.putObject("color").put("type", "string").putArray("enum");
        Arrays.stream(IconColor.values()).map(IconColor::name).forEach(colors::add);
        properties.putObject(INSTRUCTIONS).put("type", "string");
        properties
                .putObject("tools")
                .put("type", "array")
                .put("description", "At most " + TOOLS_MAX + " of the listed names, as piece/action.")
                .putObject("items")
                .put("type", "string");
        schema.putArray("required").add(NAME).add("description").add(INSTRUCTIONS);
        return schema;
    }

    /** Parses the answer into a draft; fails with VALIDATION when the model gave no draft. */
    static AgentDraft read(ModelResponse answer, ModelChoice choice, Map<String, Offer> offers) {
        var draft = answer.calls().stream()
                .filter(call -> call.name().equals(TOOL) && call.problem() == null)
                .map(call -> (JsonNode) call.arguments())
                .filter(given -> !text(given, NAME, 1).isEmpty()
                        && !text(given, INSTRUCTIONS, 1).isEmpty())
                .findFirst()
                .or(() -> StructuredAnswer.in(answer, TOOL, ToolSchema.of(wanted()))
                        .value())
                .orElseThrow(() -> refused("the model returned no draft; describe the agent's task in more detail"));
        return new AgentDraft(
                text(draft, NAME, AgentRoutes.NAME_LENGTH_MAX),
                text(draft, "description", AgentRoutes.DESCRIPTION_LENGTH_MAX),
                AgentIcon.of(draft.path("icon").asText("")).orElse(AgentIcon.BOT),
                color(draft.path("color").asText("")),
                text(draft, INSTRUCTIONS, AgentConfigReader.INSTRUCTIONS_LENGTH_MAX),
                tools(draft.path("tools"), offers),
                choice.provider(),
                choice.model());
    }

    /** Schema of a draft, for models that write it as text. */
    private static ObjectNode wanted() {
        var schema = Json.object().put("type", "object");
        var required = schema.putArray("required");
        for (var name : new String[] {NAME, INSTRUCTIONS}) {
            schema.withObjectProperty("properties").putObject(name).put("type", "string");
            required.add(name);
        }
        return schema;
    }

    static ApiException refused(Throwable failure) {
        return failure instanceof ApiException told
                ? told
                : refused(failure instanceof ModelFailure ? failure.getMessage() : "the request to the model failed");
    }

    private static ApiException refused(String reason) {
        return ApiException.of(ErrorCode.VALIDATION, reason);
    }

    private static String text(JsonNode draft, String name, int lengthMax) {
        return CutText.of(draft.path(name).asText("").strip(), lengthMax);
    }

    private static IconColor color(String word) {
        return Arrays.stream(IconColor.values())
                .filter(color -> color.name().equals(word))
                .findFirst()
                .orElse(IconColor.BLUE);
    }

    private static ArrayNode tools(JsonNode ids, Map<String, Offer> offers) {
        var tools = Json.array();
        ids.valueStream()
                .map(id -> Optional.ofNullable(offers.get(id.asText(""))))
                .flatMap(Optional::stream)
                .distinct()
                .limit(TOOLS_MAX)
                .forEach(offer -> {
                    var tool = tools.addObject().put("type", "PIECE").put("toolName", offer.id());
                    tool.putObject("pieceMetadata")
                            .put("pieceName", offer.pieceName())
                            .put("pieceVersion", offer.version())
                            .put("actionName", offer.actionName());
                });
        return tools;
    }
}
