package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.agent.machine.AgentLimits;
import io.millrace.engine.agent.machine.SpendingLimits;
import io.millrace.piece.model.ModelChoice;
import java.util.Optional;

/**
 * Input of an agent run. Stored sealed: tools may hold secrets.
 *
 * @param system system prompt; empty text for none
 * @param tools as the author configured them
 * @param structuredOutput fields of the wanted answer; empty for none
 * @param spending limits of the author for this run
 * @param fallback model that is asked when the first one fails
 */
record AgentWork(
        AgentPrompt prompt,
        String system,
        ModelChoice model,
        int maxSteps,
        ArrayNode tools,
        ArrayNode structuredOutput,
        SpendingLimits spending,
        Optional<ModelChoice> fallback) {
    /** In place of an input that cannot be decrypted; its limits are the least that are valid. */
    static final AgentWork UNREADABLE = new AgentWork(
            new AgentPrompt("", Json.array()),
            "",
            new ModelChoice("", "", "", 1),
            1,
            Json.array(),
            Json.array(),
            new SpendingLimits(Long.MAX_VALUE, Long.MAX_VALUE),
            Optional.empty());

    /** Tokens of a run, in context sizes of its model (contract agents 2.2). */
    private static final long CONTEXTS_MAX = 90;

    AgentLimits limits() {
        return new AgentLimits(maxSteps, CONTEXTS_MAX * model.contextTokens(), !structuredOutput.isEmpty(), spending);
    }

    ObjectNode toJson() {
        var json = Json.object().put("instruction", prompt.instruction()).put("system", system);
        json.set("conversation", prompt.conversation());
        json.set("model", write(model));
        fallback.ifPresent(other -> json.set("fallback", write(other)));
        json.put("tokensMax", spending.tokensMax()).put("costMicrosMax", spending.costMicrosMax());
        json.put("maxSteps", maxSteps);
        json.set("tools", tools);
        json.set("structuredOutput", structuredOutput);
        return json;
    }

    private static ObjectNode write(ModelChoice model) {
        return Json.object()
                .put("provider", model.provider())
                .put("configId", model.configId())
                .put("model", model.model())
                .put("contextTokens", model.contextTokens());
    }

    private static ModelChoice read(JsonNode model) {
        return new ModelChoice(
                model.path("provider").asText(),
                model.path("configId").asText(),
                model.path("model").asText(),
                model.path("contextTokens").asInt());
    }

    static AgentWork of(ObjectNode json) {
        return new AgentWork(
                new AgentPrompt(
                        json.path("instruction").asText(),
                        json.path("conversation") instanceof ArrayNode messages ? messages : Json.array()),
                json.path("system").asText(),
                read(json.path("model")),
                json.path("maxSteps").asInt(),
                (ArrayNode) json.path("tools"),
                (ArrayNode) json.path("structuredOutput"),
                new SpendingLimits(
                        json.path("tokensMax").asLong(Long.MAX_VALUE),
                        json.path("costMicrosMax").asLong(Long.MAX_VALUE)),
                json.path("fallback").isObject() ? Optional.of(read(json.path("fallback"))) : Optional.empty());
    }

    @Override
    public String toString() {
        return "AgentWork[" + model + ", " + tools.size() + " tools]";
    }
}
