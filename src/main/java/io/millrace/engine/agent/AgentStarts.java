package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.agent.AgentConfigReader;
import io.millrace.authoring.agent.Agents;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Fields;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.engine.agent.machine.AgentLimits;
import io.millrace.engine.agent.machine.AgentState;
import io.millrace.engine.run.Waitpoints;
import io.millrace.piece.AgentRuns;
import io.millrace.piece.model.ModelWish;
import io.millrace.piece.model.Models;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;

/** Decides who may start an agent run, and with what (contract agents 2.1). */
public final class AgentStarts implements AgentRuns {
    private static final long DEADLINE_MS = 30_000;
    private static final int TITLE_LENGTH_MAX = 200;

    private final Bus bus;
    private final Models models;
    private final boolean savedAgents;
    private final InstantSource clock;

    /** @param savedAgents whether steps may name saved agents (AP_AGENTS_ENABLED) */
    public AgentStarts(Bus bus, Models models, boolean savedAgents, InstantSource clock) {
        this.bus = bus;
        this.models = models;
        this.savedAgents = savedAgents;
        this.clock = clock;
    }

    /**
     * What is wanted of an agent.
     *
     * @param agentId external id of a saved agent
     * @param userId in whose name it acts; empty for the owner of the project
     * @param waiting the flow run that waits for the result
     */
    record Order(
            String projectId,
            String instruction,
            Optional<String> agentId,
            ArrayNode tools,
            ArrayNode structuredOutput,
            int maxSteps,
            ModelWish model,
            Optional<String> userId,
            Optional<Waiting> waiting) {
        /** As a request has it, for nobody yet. */
        static Order read(Fields body) {
            return new Order(
                    "",
                    body.text("instruction", 1, AgentConfigReader.INSTRUCTIONS_LENGTH_MAX),
                    body.optionalText("agentId"),
                    AgentConfigReader.tools(body, "tools"),
                    AgentConfigReader.structuredOutput(body, "structuredOutput"),
                    body.optionalInteger("maxSteps", 1, AgentConfigReader.STEPS_MAX)
                            .orElse(AgentConfigReader.STEPS_DEFAULT),
                    new ModelWish(
                            body.optionalText("provider"),
                            body.optionalText("providerConfigId"),
                            body.optionalText("modelName").filter(name -> !name.isBlank())),
                    Optional.empty(),
                    Optional.empty());
        }

        /** The same in a project, in the name of a user. */
        Order in(String project, String user) {
            return new Order(
                    project,
                    instruction,
                    agentId,
                    tools,
                    structuredOutput,
                    maxSteps,
                    model,
                    Optional.of(user),
                    waiting);
        }
    }

    /** Who waits for a result. */
    record Waiting(String flowId, String flowRunId, String waitpointId) {}

    /** A step's input is an order; what is wrong with it is said as for a request. */
    @Override
    public Future<Void> start(Wanted wanted) {
        Order order;
        try {
            order = orderOf(wanted);
        } catch (ApiException malformed) {
            return Future.failedFuture(malformed);
        }
        return start(order).mapEmpty();
    }

    private static Order orderOf(Wanted wanted) {
        var input = Fields.of("input", wanted.input()).orNull();
        var model = wanted.input().path("aiProviderModel");
        var order = new Order(
                wanted.projectId(),
                input.text("prompt", 1, AgentConfigReader.INSTRUCTIONS_LENGTH_MAX),
                input.optionalText("agentId").filter(id -> !id.isBlank()),
                AgentConfigReader.tools(input, "agentTools"),
                AgentConfigReader.structuredOutput(input, "structuredOutput"),
                input.optionalInteger("maxSteps", 1, AgentConfigReader.STEPS_MAX)
                        .orElse(AgentConfigReader.STEPS_DEFAULT),
                ModelWish.of(
                        model.has("configId") ? model : model.path("provider"),
                        model.path("model").asText("")),
                Optional.empty(),
                Optional.of(new Waiting(wanted.flowId(), wanted.flowRunId(), wanted.waitpointId())));
        input.done();
        return order;
    }

    /** Answers the id of the run; the checks are in the order of the contract. */
    Future<String> start(Order order) {
        return saved(order).compose(saved -> {
            var config = saved.map(Agents.Published::config);
            var tools = config.map(found -> (ArrayNode) found.path("tools")).orElse(order.tools());
            var structured = config.map(found -> (ArrayNode) found.path("structuredOutput"))
                    .orElse(order.structuredOutput());
            var problem = toolProblem(tools, !structured.isEmpty());
            if (problem.isPresent()) {
                return Future.failedFuture(ApiException.of(ErrorCode.VALIDATION, problem.get()));
            }
            return flowsAreThere(order.projectId(), tools)
                    .compose(_ -> models.choose(order.projectId(), wishOf(order, config)))
                    .compose(choice -> models.checkBudget(order.projectId()).map(choice))
                    .compose(choice -> bus.ask(new Projects.Find(order.projectId()), DEADLINE_MS)
                            .compose(project -> {
                                var work = new AgentWork(
                                        order.instruction(),
                                        config.map(found -> found.path("instructions")
                                                        .asText())
                                                .orElse(""),
                                        choice,
                                        Math.min(
                                                config.map(found -> found.path("maxSteps")
                                                                .asInt(order.maxSteps()))
                                                        .orElse(order.maxSteps()),
                                                AgentLimits.TURNS_CEILING),
                                        tools,
                                        structured);
                                var run = runOf(order, work, saved, project.platformId(), project.ownerId());
                                return bus.ask(new AgentRunRows.Accept(run, work), DEADLINE_MS);
                            }));
        });
    }

    /** For callers that say themselves who waits: a waitpoint of their own project that is open. */
    Future<String> startChecked(Order order) {
        if (order.waiting().isEmpty()) {
            return start(order);
        }
        var waiting = order.waiting().get();
        var look = new Waitpoints.Look(waiting.flowRunId(), new Waitpoints.Target.OfWaitpoint(waiting.waitpointId()));
        return bus.ask(look, DEADLINE_MS)
                .compose(place -> place.projectId().equals(order.projectId()) && place.stage() != Waitpoints.Stage.OVER
                        ? start(order)
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                "the waitpoint " + waiting.waitpointId() + " is not one that waits in this project")));
    }

    private Future<Optional<Agents.Published>> saved(Order order) {
        if (order.agentId().isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        if (!savedAgents) {
            return Future.failedFuture(ApiException.of(ErrorCode.FEATURE_DISABLED, "saved agents are switched off"));
        }
        if (!order.tools().isEmpty()) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.VALIDATION, "agentId and tools cannot be given together"));
        }
        return bus.ask(
                        new Agents.FindPublished(
                                order.projectId(), order.agentId().get()),
                        DEADLINE_MS)
                .map(found -> {
                    if (found.isEmpty()) {
                        throw ApiException.of(
                                ErrorCode.VALIDATION,
                                "the agent " + order.agentId().get() + " is not in this project, or not published");
                    }
                    if (found.get().restricted()) {
                        throw ApiException.of(
                                ErrorCode.VALIDATION,
                                "the agent " + order.agentId().get() + " is not visible to the whole project");
                    }
                    return found;
                });
    }

    private static ModelWish wishOf(Order order, Optional<ObjectNode> config) {
        return config.map(found -> ModelWish.of(
                        found.hasNonNull("providerConfigId")
                                ? Json.object()
                                        .put("provider", found.path("provider").asText())
                                        .put(
                                                "configId",
                                                found.path("providerConfigId").asText())
                                : found.path("provider"),
                        found.hasNonNull("modelName") ? found.path("modelName").asText() : ""))
                .orElse(order.model());
    }

    private static Optional<String> toolProblem(ArrayNode tools, boolean structured) {
        var names = new HashSet<String>();
        for (var tool : tools) {
            var name = tool.path("toolName").asText();
            if (name.startsWith("ap_") || structured && name.equals(AgentEntries.COMPLETION_TOOL)) {
                return Optional.of("a tool cannot be named " + name);
            }
            if (!names.add(name)) {
                return Optional.of("two tools are named " + name);
            }
        }
        return Optional.empty();
    }

    private Future<Void> flowsAreThere(String projectId, ArrayNode tools) {
        var checked = Future.<Void>succeededFuture();
        for (var tool : tools) {
            if (tool.path("type").asText().equals("FLOW")) {
                checked = checked.compose(_ -> flowIsThere(projectId, tool));
            }
        }
        return checked;
    }

    private Future<Void> flowIsThere(String projectId, JsonNode tool) {
        var externalId = tool.path("externalFlowId").asText();
        return AgentToolbox.flowOf(bus, projectId, externalId)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION, "the flow " + externalId + " is not in this project")));
    }

    private AgentRun runOf(
            Order order, AgentWork work, Optional<Agents.Published> saved, String platformId, String ownerId) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var title = order.instruction();
        return new AgentRun(
                Ids.next(),
                now,
                now,
                platformId,
                order.projectId(),
                order.userId().orElse(ownerId),
                saved.map(Agents.Published::id).orElse(null),
                order.waiting().map(Waiting::flowId).orElse(null),
                order.waiting().map(Waiting::flowRunId).orElse(null),
                order.waiting().map(Waiting::waitpointId).orElse(null),
                title.substring(0, Math.min(title.length(), TITLE_LENGTH_MAX)),
                work.model().model(),
                new AgentState.Accepted(),
                null);
    }
}
