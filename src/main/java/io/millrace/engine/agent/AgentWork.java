package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.agent.machine.AgentLimits;
import io.millrace.piece.model.ModelChoice;

/**
 * Input of an agent run. Stored sealed: tools may hold secrets.
 *
 * @param instruction prompt of the user
 * @param system system prompt; empty text for none
 * @param tools as the author configured them
 * @param structuredOutput fields of the wanted answer; empty for none
 */
record AgentWork(
        String instruction,
        String system,
        ModelChoice model,
        int maxSteps,
        ArrayNode tools,
        ArrayNode structuredOutput) {
    /** Tokens of a run, in context sizes of its model (contract agents 2.2). */
    private static final long CONTEXTS_MAX = 90;

    AgentLimits limits() {
        return new AgentLimits(maxSteps, CONTEXTS_MAX * model.contextTokens(), !structuredOutput.isEmpty());
    }

    ObjectNode toJson() {
        var json = Json.object().put("instruction", instruction).put("system", system);
        json.putObject("model")
                .put("provider", model.provider())
                .put("configId", model.configId())
                .put("model", model.model())
                .put("contextTokens", model.contextTokens());
        json.put("maxSteps", maxSteps);
        json.set("tools", tools);
        json.set("structuredOutput", structuredOutput);
        return json;
    }

    static AgentWork of(ObjectNode json) {
        var model = json.path("model");
        return new AgentWork(
                json.path("instruction").asText(),
                json.path("system").asText(),
                new ModelChoice(
                        model.path("provider").asText(),
                        model.path("configId").asText(),
                        model.path("model").asText(),
                        model.path("contextTokens").asInt()),
                json.path("maxSteps").asInt(),
                (ArrayNode) json.path("tools"),
                (ArrayNode) json.path("structuredOutput"));
    }

    @Override
    public String toString() {
        return "AgentWork[" + model + ", " + tools.size() + " tools]";
    }
}
