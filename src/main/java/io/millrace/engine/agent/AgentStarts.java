package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.authoring.agent.AgentSpendingReader;
import io.millrace.authoring.agent.Agents;
import io.millrace.authoring.agent.PublishedAgents;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.CutText;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.engine.agent.machine.AgentLimits;
import io.millrace.engine.agent.machine.AgentState;
import io.millrace.engine.agent.machine.SpendingLimits;
import io.millrace.engine.run.Waitpoints;
import io.millrace.piece.AgentRuns;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelSpender;
import io.millrace.piece.model.Models;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.stream.Stream;

/** Authorizes and validates starts of agent runs (contract agents 2.1). */
public final class AgentStarts implements AgentRuns {
    private static final long DEADLINE_MS = 30_000;
    private static final double MICROS_OF_DOLLAR = 1_000_000;
    private static final int TITLE_LENGTH_MAX = 200;

    private final Bus bus;
    private final Models models;
    private final PublishedAgents agents;
    private final int messagesMax;
    private final InstantSource clock;

    /** @param messagesMax earlier messages of a conversation that a run continues (AP_AGENT_CONVERSATION_MESSAGES_MAX) */
    public AgentStarts(Bus bus, Models models, PublishedAgents agents, int messagesMax, InstantSource clock) {
        this.bus = bus;
        this.models = models;
        this.agents = agents;
        this.messagesMax = messagesMax;
        this.clock = clock;
    }

    int messagesMax() {
        return messagesMax;
    }

    /** Errors are reported as for a request. */
    @Override
    public Future<Void> start(StepRequest wanted) {
        AgentRequest request;
        try {
            request = AgentRequest.of(wanted);
        } catch (ApiException malformed) {
            return Future.failedFuture(malformed);
        }
        return start(request).mapEmpty();
    }

    /** Returns the id of the run; checks in the order of the contract. */
    Future<String> start(AgentRequest request) {
        return start(request, Optional.empty());
    }

    /** @param flowStep step that sent the request, if the caller is an authenticated flow step */
    private Future<String> start(AgentRequest request, Optional<Waitpoints.WaitpointView> flowStep) {
        return bus.ask(new AgentRunRows.Admit(request.projectId()), DEADLINE_MS)
                .compose(_ -> flowStep.isPresent() ? stepNames(request, flowStep.get()) : Future.succeededFuture())
                .compose(_ -> accept(request));
    }

    private Future<String> accept(AgentRequest request) {
        return saved(request)
                .compose(saved ->
                        accept(saved.map(agent -> request.by(agent.config())).orElse(request), saved));
    }

    private Future<String> accept(AgentRequest request, Optional<Agents.LiveAgent> saved) {
        var problem = toolProblem(
                request.configuration().tools(),
                !request.configuration().structuredOutput().isEmpty());
        return problem.isPresent()
                ? Future.failedFuture(ApiException.of(ErrorCode.VALIDATION, problem.get()))
                : flowsAreThere(request.projectId(), request.configuration().tools())
                        .compose(_ -> models.choose(
                                request.projectId(), request.configuration().model()))
                        .compose(choice -> models.chargedTo(spenderOf(request, saved))
                                .checkBudget(request.projectId())
                                .map(choice))
                        .compose(choice -> fallback(request).compose(other -> enqueue(request, saved, choice, other)));
    }

    private static ModelSpender spenderOf(AgentRequest request, Optional<Agents.LiveAgent> saved) {
        return new ModelSpender(
                request.waiting().map(AgentRequest.AwaitingRun::flowId), saved.map(Agents.LiveAgent::id));
    }

    private Future<Optional<ModelChoice>> fallback(AgentRequest request) {
        return request.fallback()
                .map(wanted -> models.choose(request.projectId(), wanted).map(Optional::of))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    /** Limits of the run; a limit of money needs the prices of its models. */
    private SpendingLimits limitsOf(AgentRequest request, ModelChoice choice, Optional<ModelChoice> fallback) {
        var cost = request.configuration().spending().path(AgentSpendingReader.MAX_COST);
        if (cost.isNumber()) {
            Stream.concat(Stream.of(choice), fallback.stream())
                    .filter(model -> models.costMicros(model, 1, 1).isEmpty())
                    .findFirst()
                    .ifPresent(model -> {
                        throw ApiException.of(
                                ErrorCode.VALIDATION,
                                "maxCostUsd: expected a model with a price, found none for " + model.provider() + ":"
                                        + model.model() + "; an administrator adds it to AP_AI_PRICES_FILE");
                    });
        }
        return new SpendingLimits(
                request.configuration()
                        .spending()
                        .path(AgentSpendingReader.MAX_TOKENS)
                        .asLong(Long.MAX_VALUE),
                cost.isNumber() ? Math.round(cost.asDouble() * MICROS_OF_DOLLAR) : Long.MAX_VALUE);
    }

    private Future<String> enqueue(
            AgentRequest request,
            Optional<Agents.LiveAgent> saved,
            ModelChoice choice,
            Optional<ModelChoice> fallback) {
        var work = new AgentWork(
                request.prompt(),
                request.configuration().system(),
                choice,
                Math.min(request.configuration().maxSteps(), AgentLimits.TURNS_CEILING),
                request.configuration().tools(),
                request.configuration().structuredOutput(),
                limitsOf(request, choice, fallback),
                fallback);
        return bus.ask(new Projects.Find(request.projectId()), DEADLINE_MS)
                .map(project -> runOf(request, work, saved, project.platformId(), project.ownerId()))
                .compose(run -> bus.ask(new AgentRunRows.Accept(run, work), DEADLINE_MS));
    }

    /** Starts a run for a caller that names the waiting step: the waitpoint must be open and belong to the caller's project. */
    Future<String> startChecked(AgentRequest request) {
        if (request.waiting().isEmpty()) {
            return start(request);
        }
        var waiting = request.waiting().get();
        return placeOf(request.projectId(), waiting.flowRunId(), waiting.waitpointId())
                .compose(place -> start(request.waitedForBy(place.flowId()), Optional.of(place)));
    }

    /** Finds the waitpoint of a step of the project; fails with VALIDATION when no step waits there. */
    Future<Waitpoints.WaitpointView> placeOf(String projectId, String flowRunId, String waitpointId) {
        var look = new Waitpoints.Look(flowRunId, new Waitpoints.Target.OfWaitpoint(waitpointId));
        return bus.ask(look, DEADLINE_MS)
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.failedFuture(notWaiting(waitpointId))
                        : Future.failedFuture(failure))
                .compose(place -> place.projectId().equals(projectId) && place.stage() != Waitpoints.Stage.OVER
                        ? Future.succeededFuture(place)
                        : Future.failedFuture(notWaiting(waitpointId)));
    }

    private static ApiException notWaiting(String waitpointId) {
        return ApiException.of(
                ErrorCode.VALIDATION, "the waitpoint " + waitpointId + " is not waiting in this project");
    }

    /** A saved agent is run only by the step of a flow that names it: a token of a piece is good for no other. */
    private Future<Void> stepNames(AgentRequest request, Waitpoints.WaitpointView place) {
        if (request.agentId().isEmpty()) {
            return Future.succeededFuture();
        }
        return bus.ask(new Flows.GetVersion(place.flowVersionId()), DEADLINE_MS)
                .compose(
                        version -> version.agentIds().contains(request.agentId().get())
                                ? Future.succeededFuture()
                                : Future.failedFuture(ApiException.of(
                                        ErrorCode.VALIDATION,
                                        "no step of the flow uses the agent "
                                                + request.agentId().get())));
    }

    private Future<Optional<Agents.LiveAgent>> saved(AgentRequest request) {
        if (request.agentId().isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return request.configuration().tools().isEmpty()
                ? agents.find(request.projectId(), request.agentId().get()).map(Optional::of)
                : Future.failedFuture(
                        ApiException.of(ErrorCode.VALIDATION, "expected either agentId or tools, found both"));
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
            AgentRequest request, AgentWork work, Optional<Agents.LiveAgent> saved, String platformId, String ownerId) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var title = request.prompt().instruction();
        return new AgentRun(
                Ids.next(),
                now,
                now,
                platformId,
                request.projectId(),
                request.userId().orElse(ownerId),
                saved.map(Agents.LiveAgent::id).orElse(null),
                request.waiting().map(AgentRequest.AwaitingRun::flowId).orElse(null),
                null,
                request.waiting().map(AgentRequest.AwaitingRun::flowRunId).orElse(null),
                request.waiting().map(AgentRequest.AwaitingRun::waitpointId).orElse(null),
                CutText.of(title, TITLE_LENGTH_MAX),
                work.model().model(),
                new AgentState.Accepted(),
                null,
                null);
    }
}
