package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.agent.AgentConfigReader;
import io.millrace.authoring.agent.AgentSpendingReader;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.piece.AgentRuns;
import io.millrace.piece.model.ModelSelector;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Request for an agent run (contract agents 2.1).
 *
 * @param agentId external id of a saved agent that supplies the missing fields
 * @param userId user on whose behalf the agent acts; empty for the owner of the project
 * @param waiting flow run that waits for the result
 */
record AgentRequest(
        String projectId,
        AgentPrompt prompt,
        Optional<String> agentId,
        Configuration configuration,
        Optional<String> userId,
        Optional<AwaitingRun> waiting) {
    /**
     * Configuration of the agent.
     *
     * @param system system prompt; empty text for none
     * @param spending limits of the run and its fallback model, as {@link AgentSpendingReader} reads them
     */
    record Configuration(
            String system,
            ArrayNode tools,
            ArrayNode structuredOutput,
            int maxSteps,
            ModelSelector model,
            ObjectNode spending) {}

    record AwaitingRun(String flowId, String flowRunId, String waitpointId) {}

    /**
     * Reads a request, without a waiting flow run.
     *
     * @param messagesMax limit of the conversation
     */
    static AgentRequest read(Fields body, int messagesMax) {
        var model = new ModelSelector(
                AgentConfigReader.provider(body, "provider"),
                body.optionalText("providerConfigId"),
                body.optionalText("modelName").filter(name -> !name.isBlank()));
        return read(body, AgentPrompt.read(body, messagesMax), body.optionalText("agentId"), "tools", model);
    }

    /** Errors are reported as for a request. */
    static AgentRequest of(AgentRuns.StepRequest wanted) {
        var input = Fields.of("input", wanted.input()).orNull();
        var given = wanted.input().path("aiProviderModel");
        var model = ModelSelector.of(
                given.has("configId") ? given : given.path("provider"),
                given.path("model").asText(""));
        var agentId = input.optionalText("agentId").filter(id -> !id.isBlank());
        var prompt = new AgentPrompt(input.text("prompt", 1, AgentConfigReader.INSTRUCTIONS_LENGTH_MAX), Json.array());
        var request = read(input, prompt, agentId, "agentTools", model);
        input.done();
        var waiting = new AwaitingRun(wanted.flowId(), wanted.flowRunId(), wanted.waitpointId());
        return request.in(wanted.projectId(), Optional.empty(), Optional.of(waiting));
    }

    private static AgentRequest read(
            Fields fields, AgentPrompt prompt, Optional<String> agentId, String tools, ModelSelector model) {
        return new AgentRequest(
                "",
                prompt,
                agentId,
                new Configuration(
                        "",
                        AgentConfigReader.tools(fields, tools),
                        AgentConfigReader.structuredOutput(fields, "structuredOutput"),
                        fields.optionalInteger("maxSteps", 1, AgentConfigReader.STEPS_MAX)
                                .orElse(AgentConfigReader.STEPS_DEFAULT),
                        model,
                        AgentSpendingReader.read(fields)),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Copy for a project.
     *
     * @param user user on whose behalf the agent acts; empty for the owner of the project
     */
    AgentRequest in(String project, Optional<String> user, Optional<AwaitingRun> who) {
        return new AgentRequest(project, prompt, agentId, configuration, user, who);
    }

    AgentRequest waitedForBy(String flowId) {
        return in(
                projectId,
                userId,
                waiting.map(known -> new AwaitingRun(flowId, known.flowRunId(), known.waitpointId())));
    }

    AgentRequest by(ObjectNode config) {
        return new AgentRequest(
                projectId,
                prompt,
                agentId,
                new Configuration(
                        config.path("instructions").asText(),
                        (ArrayNode) config.path("tools"),
                        (ArrayNode) config.path("structuredOutput"),
                        config.path("maxSteps").asInt(configuration.maxSteps()),
                        modelOf(config),
                        stricter(config)),
                userId,
                waiting);
    }

    /** The limits of the agent, or lower ones of this run; the fallback model is that of the agent. */
    private ObjectNode stricter(ObjectNode config) {
        var both = Json.object();
        for (var name : List.of(AgentSpendingReader.MAX_TOKENS, AgentSpendingReader.MAX_COST)) {
            Stream.of(config.path(name), configuration.spending().path(name))
                    .filter(JsonNode::isNumber)
                    .min(Comparator.comparingDouble(JsonNode::asDouble))
                    .ifPresent(lowest -> both.set(name, lowest));
        }
        if (config.path(AgentSpendingReader.FALLBACK).isObject()) {
            both.set(AgentSpendingReader.FALLBACK, config.path(AgentSpendingReader.FALLBACK));
        }
        return both;
    }

    Optional<ModelSelector> fallback() {
        return configuration.spending().path(AgentSpendingReader.FALLBACK) instanceof ObjectNode config
                ? Optional.of(modelOf(config))
                : Optional.empty();
    }

    private static ModelSelector modelOf(ObjectNode config) {
        JsonNode provider = config.path("provider");
        if (config.hasNonNull("providerConfigId")) {
            provider = Json.object()
                    .put("provider", provider.asText())
                    .put("configId", config.path("providerConfigId").asText());
        }
        return ModelSelector.of(provider, config.path("modelName").asText(""));
    }
}
