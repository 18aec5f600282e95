package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Guard;
import io.millrace.base.net.Fence;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.engine.agent.machine.AgentEffect;
import io.millrace.engine.agent.machine.AgentEnding;
import io.millrace.engine.agent.machine.AgentEvent;
import io.millrace.engine.agent.machine.AgentLimits;
import io.millrace.engine.agent.machine.AgentMachine;
import io.millrace.engine.agent.machine.AgentSpending;
import io.millrace.engine.agent.machine.AgentState;
import io.millrace.engine.agent.machine.AgentTransition;
import io.millrace.engine.run.Waitpoints;
import io.millrace.piece.model.AnswerListener;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelSpender;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor of one agent run: an inbox, the state machine, and the code that performs its effects. Every transition is durable,
 * together with the event that caused it, before its effects begin. Lives on the event loop of {@link AgentVerticle}.
 */
final class AgentActor {
    private static final Logger LOG = LoggerFactory.getLogger(AgentActor.class);

    private static final Duration TURN_MAX = Duration.ofMinutes(10);
    private static final long RETRY_MS = 1_000;

    /** Longer than a run may take: an effect that has happened is recorded as soon as the database is back. */
    private static final Duration RECORDING_PATIENCE = Duration.ofHours(3);

    /** Longest pause before a retry; a longer pause that a provider requests is shortened, because the run waits. */
    private static final long PAUSE_MS_MAX = 60_000;

    /** A thousand credits of the platform are a dollar. */
    private static final double MICROS_OF_CREDIT = 1_000;

    private static final String DEFECT = "The agent ended with an internal server error";
    private static final String UNAVAILABLE = "The AI provider is temporarily unavailable; try again in a few minutes";

    private final Parts parts;
    private final AgentRun run;
    private final AgentWork work;
    private final long fence;
    private final AgentLimits limits;
    private final List<AgentRun.Entry> entries;
    private final Queue<Inbound> inbox = new ArrayDeque<>();
    private final Promise<Void> over = Promise.promise();
    private final Promise<Void> abort = Promise.promise();
    private final Map<String, AgentTool> tools = new LinkedHashMap<>();
    private final List<AgentToolbox.LeftOut> leftOut = new ArrayList<>();
    private final AgentObjections objections;
    private final AgentQuestions questions;
    private AgentState state;
    private ModelChoice current;
    private Optional<ObjectNode> webSearch = Optional.empty();
    private ObjectNode result;
    private String failure;
    private Optional<String> budgetReason = Optional.empty();
    private long pauseMs = RETRY_MS;
    private Fence lease;
    private boolean saving;
    private boolean stopped;

    /** Dependencies of the effects. */
    record Parts(
            Bus bus,
            Models models,
            AgentToolbox toolbox,
            AgentCalls calls,
            AgentDelivery delivery,
            LongFunction<Future<Void>> timer,
            Supplier<Fence> leases,
            OutageRetry retry,
            InstantSource clock) {}

    /** An event, with its record. */
    private record Inbound(AgentEvent event, Optional<AgentRun.Entry> entry) {}

    AgentActor(Parts parts, AgentRun.Taken taken) {
        this.parts = parts;
        this.run = taken.run();
        this.work = taken.work();
        this.fence = taken.fence();
        this.limits = taken.work().limits();
        this.entries = new ArrayList<>(taken.entries());
        this.objections = new AgentObjections(tools, entries);
        this.questions = new AgentQuestions(work, tools, leftOut, entries);
        this.state = run.state();
        this.current = work.fallback()
                .filter(_ -> entries.stream().anyMatch(entry -> entry.content().has(AgentEntries.MODEL)))
                .orElse(work.model());
        this.lease = parts.leases().get();
        this.result = run.result();
    }

    /**
     * Begins the run, or resumes it from its recorded state. Completes when the run has ended and its result is delivered, or
     * when the node has lost the run.
     */
    Future<Void> start() {
        guarded(() -> {
            if (state instanceof AgentState.Finished finished) {
                deliver(finished);
            } else {
                parts.toolbox().open(run, work).onComplete((opened, cause) -> guarded(() -> opened(opened, cause)));
            }
        });
        return over.future();
    }

    private void opened(AgentToolbox.Opened opened, Throwable cause) {
        if (cause != null) {
            LOG.warn("cannot start agent run {}, retrying: {}", run.id(), cause.getMessage());
            leaveAfter(RETRY_MS);
            return;
        }
        opened.tools().forEach(tool -> tools.put(tool.name(), tool));
        leftOut.addAll(opened.leftOut());
        webSearch = opened.webSearch();
        if (state instanceof AgentState.Accepted) {
            tell(new AgentEvent.Begin());
        } else {
            AgentMachine.inFlight(limits, state).forEach(this::perform);
        }
    }

    private void guarded(Runnable callback) {
        Guard.run(callback, this::struck);
    }

    /** Ends the run; one that has ended already is handed over by a later attempt. */
    private void struck(Throwable defect) {
        LOG.error("agent run {} ends because of a defect", run.id(), defect);
        if (state instanceof AgentState.Finished) {
            leaveAfter(PAUSE_MS_MAX);
        } else {
            failure = DEFECT;
            tell(new AgentEvent.Defect());
        }
    }

    String id() {
        return run.id();
    }

    long fence() {
        return fence;
    }

    Instant created() {
        return run.created();
    }

    void tell(AgentEvent event) {
        tell(event, Optional.empty());
    }

    /** Stops work on the run and aborts its requests in flight: another node owns the run, or the server stops. */
    void leave() {
        stopped = true;
        abort.tryComplete();
        over.tryComplete();
    }

    /** A node claims a run again as soon as its actor has left it. */
    private void leaveAfter(long pauseMs) {
        parts.timer().apply(pauseMs).onComplete(_ -> leave());
    }

    private void tell(AgentEvent event, Optional<AgentRun.Entry> entry) {
        inbox.add(new Inbound(event, entry));
        guarded(this::next);
    }

    private void next() {
        if (saving || stopped || inbox.isEmpty()) {
            return;
        }
        var inbound = inbox.remove();
        switch (AgentMachine.on(limits, state, inbound.event())) {
            case AgentTransition.Unchanged(var reason) -> {
                LOG.debug("agent run {}: {}", run.id(), reason);
                next();
            }
            case AgentTransition.Advanced advanced -> save(inbound, advanced);
        }
    }

    private void save(Inbound inbound, AgentTransition.Advanced advanced) {
        inbound.entry().ifPresent(entries::add);
        if (advanced.state() instanceof AgentState.Finished finished) {
            result = resultOf(finished);
        }
        saving = true;
        var advance = new AgentRunRows.Advance(run.id(), fence, advanced.state(), inbound.entry(), result);
        // The result of a finished run contains its usage.
        var counted =
                result == null ? Future.<Void>succeededFuture() : parts.models().counted(run.projectId());
        counted.compose(_ -> recorded(advance)).onComplete((held, cause) -> {
            saving = false;
            guarded(() -> saved(advanced, held, cause));
        });
    }

    /** Retries while the database is unavailable: the answer was paid for, and the tool call has had its effect. */
    private <R> Future<R> recorded(BusRequest<R> record) {
        return parts.retry().perform(RECORDING_PATIENCE, () -> stopped, () -> {
            // Noted before the database is asked, which confirms that the run is this node's.
            var confirmed = parts.leases().get();
            return parts.bus().ask(record, AgentVerticle.ASK_DEADLINE_MS).onSuccess(_ -> lease = confirmed);
        });
    }

    private void saved(AgentTransition.Advanced advanced, Boolean held, Throwable cause) {
        if (cause != null || !held) {
            LOG.warn(
                    "agent run {} is released: {}",
                    run.id(),
                    cause == null ? "another node owns it" : cause.getMessage());
            leave();
            return;
        }
        state = advanced.state();
        tellWatchers();
        advanced.effects().forEach(this::perform);
        next();
    }

    private ObjectNode resultOf(AgentState.Finished finished) {
        try {
            var reason = finished.ending() == AgentEnding.USAGE_LIMIT ? budgetReason : Optional.ofNullable(failure);
            return AgentResult.of(work, finished, entries, reason);
        } catch (RuntimeException defect) {
            LOG.error("cannot build the result of agent run {} from its records", run.id(), defect);
            return AgentResult.broken(work.instruction(), DEFECT);
        }
    }

    /** Notifies subscribers of the agent run, and of the flow run that waits for it. */
    private void tellWatchers() {
        parts.bus().publish(new AgentRunRows.Recorded(run.id()));
        if (run.flowRunId() != null) {
            parts.bus().publish(new Waitpoints.CameFurther(run.flowRunId()));
        }
    }

    private void perform(AgentEffect effect) {
        if (stopped) {
            return;
        }
        switch (effect) {
            case AgentEffect.AskModel ask -> ask(ask);
            case AgentEffect.CallTool call -> call(call);
            case AgentEffect.AbortInFlight _ -> abort.tryComplete();
            case AgentEffect.Deliver _ -> deliver((AgentState.Finished) state);
        }
    }

    /**
     * Returns true if the node's lease has ended since it last confirmed the run: another node may own the run now. The actor
     * then leaves the run without an outcome; the next claim decides which node continues it.
     */
    private boolean isFenced(Fence begunUnder) {
        if (!begunUnder.isHeld() && !stopped) {
            LOG.info("agent run {} is released: the lease of this server ended", run.id());
            leave();
        }
        return !begunUnder.isHeld();
    }

    private void ask(AgentEffect.AskModel ask) {
        var wait = ask.attempt() > 1 ? parts.timer().apply(pauseMs) : Future.<Void>succeededFuture();
        wait.onComplete(_ -> guarded(() -> askNow(ask)));
    }

    private void askNow(AgentEffect.AskModel ask) {
        if (!isCurrent(ask)) {
            return;
        }
        var heard = new AtomicBoolean();
        var listener = new AnswerListener(
                text -> {
                    heard.set(true);
                    AgentNews.tell(parts.bus(), run.id(), new AgentNews(ask.turn(), text));
                },
                abort.future());
        var begunUnder = lease;
        if (isFenced(begunUnder)) {
            return;
        }
        parts.models()
                .chargedTo(new ModelSpender(Optional.ofNullable(run.flowId()), Optional.ofNullable(run.agentId())))
                .askAloud(
                        run.projectId(),
                        current,
                        questions.of(ask.offer(), webSearch, current.equals(work.model()) ? "" : modelName(current)),
                        TURN_MAX.toMillis(),
                        listener)
                .onComplete((answer, cause) -> guarded(() -> {
                    if (cause == null || !isFenced(begunUnder)) {
                        asked(ask, answer, cause, heard.get());
                    }
                }));
    }

    private static String modelName(ModelChoice model) {
        return model.provider() + "/" + model.configId() + "/" + model.model();
    }

    /** Returns true if the run still waits for this answer; it may have been cancelled during a pause. */
    private boolean isCurrent(AgentEffect.AskModel ask) {
        return !stopped
                && state instanceof AgentState.Asking(var progress, var attempt)
                && progress.turn() == ask.turn()
                && attempt == ask.attempt();
    }

    private void asked(AgentEffect.AskModel ask, ModelResponse answer, Throwable cause, boolean heard) {
        if (!isCurrent(ask)) {
            LOG.debug("agent run {}: ignoring the late answer of turn {}", run.id(), ask.turn());
        } else if (cause == null && answer.ending() == ModelResponse.Ending.REFUSED) {
            answered(ask, answer, AgentEvent.Shape.WHOLE);
        } else if (cause == null) {
            answered(ask, answer, shapeOf(answer));
        } else if (ApiException.isUnavailable(cause)) {
            // Not a failure of the model: the request is repeated once the server is available.
            parts.timer().apply(RETRY_MS).onComplete(_ -> guarded(() -> askNow(ask)));
        } else {
            failed(ask, cause, heard);
        }
    }

    private static AgentEvent.Shape shapeOf(ModelResponse answer) {
        if (answer.ending() == ModelResponse.Ending.CUT_OFF) {
            return AgentEvent.Shape.CUT_OFF;
        }
        return answer.isEmpty() ? AgentEvent.Shape.EMPTY : AgentEvent.Shape.WHOLE;
    }

    private void answered(AgentEffect.AskModel ask, ModelResponse answer, AgentEvent.Shape shape) {
        var wanted = ToolSchemas.ofStructuredOutput(work.structuredOutput());
        var entry = AgentEntries.ofAnswer(
                ask.turn(), answer, tools, wanted, parts.clock().instant());
        if (!current.equals(work.model())) {
            entry.content().put(AgentEntries.MODEL, modelName(current));
        }
        AgentEntries.addLeftOut(entry.content(), leftOut, entries);
        var calls = AgentEntries.callsOf(entry.content()).size();
        var isMisfit = calls == 0 && entry.content().has(AgentEntries.MISFIT);
        tell(
                new AgentEvent.Answered(
                        ask.turn(),
                        isMisfit ? AgentEvent.Shape.MISFIT : shape,
                        calls,
                        entry.content().has(AgentEntries.COMPLETION),
                        spendingOf(answer)),
                Optional.of(entry));
    }

    /** The next turn sends all of this conversation again. */
    private AgentSpending spendingOf(ModelResponse answer) {
        var tokens = answer.inputTokens() + answer.outputTokens();
        var byTable = parts.models().costMicros(current, answer.inputTokens(), answer.outputTokens());
        var cost = answer.credits().isPresent()
                ? (long) Math.ceil(answer.credits().getAsDouble() * MICROS_OF_CREDIT)
                : byTable.orElse(0);
        return new AgentSpending(
                tokens,
                cost,
                tokens,
                parts.models().costMicros(current, tokens, 0).orElse(0));
    }

    /** @param heard true if part of the answer had arrived: such a turn is not requested again (contract agents 2.2) */
    private void failed(AgentEffect.AskModel ask, Throwable cause, boolean heard) {
        var isFinal = cause instanceof ModelFailure told && !told.isRetriable() || ask.attempt() > 1;
        var isOfBudget = cause instanceof ModelFailure told && told.isOfBudget();
        if (isFinal
                && !heard
                && !isOfBudget
                && work.fallback().filter(other -> !other.equals(current)).isPresent()) {
            LOG.info("agent run {} continues with its fallback model: {}", run.id(), cause.getMessage());
            current = work.fallback().get();
            askNow(ask);
            return;
        }
        failedFinally(ask, cause, heard);
    }

    private void failedFinally(AgentEffect.AskModel ask, Throwable cause, boolean heard) {
        if (cause instanceof ModelFailure known && known.isOfBudget()) {
            budgetReason = Optional.of(known.getMessage());
            tell(new AgentEvent.BudgetUsed(ask.turn()));
            return;
        }
        if (cause instanceof ModelFailure told && !told.isRetriable()) {
            failure = told.getMessage();
            tell(new AgentEvent.TurnFailed(ask.turn(), false));
            return;
        }
        LOG.info("agent run {}: the request to the model failed: {}", run.id(), cause.getMessage());
        failure = cause instanceof ModelFailure
                ? UNAVAILABLE
                : current.provider() + " (" + current.model() + "): " + cause.getMessage();
        pauseMs =
                cause instanceof ModelFailure told ? Math.clamp(told.retryAfterMs(), RETRY_MS, PAUSE_MS_MAX) : RETRY_MS;
        tell(new AgentEvent.TurnFailed(ask.turn(), !heard));
    }

    private void call(AgentEffect.CallTool call) {
        var request = AgentEntries.requestOf(call, entries);
        var tool = tools.get(request.name());
        var began = parts.clock().instant();
        var begunUnder = lease;
        if (isFenced(begunUnder)) {
            return;
        }
        objections
                .to(call, request)
                .map(reason -> Future.succeededFuture(AgentCalls.Outcome.refused(reason)))
                .orElseGet(() -> parts.calls().perform(run, tool, request, call.idempotencyKey(run.id()), begunUnder))
                .onComplete((outcome, defect) -> guarded(() -> {
                    if (defect != null) {
                        struck(defect);
                        return;
                    }
                    // A failure after the end of the lease may be a refused request: it is not reported to the model.
                    if (outcome.failed() && isFenced(begunUnder)) {
                        return;
                    }
                    tell(
                            new AgentEvent.CallEnded(call.turn(), call.call(), outcome.failed()),
                            Optional.of(AgentEntries.ofCall(
                                    call,
                                    request,
                                    tool,
                                    outcome,
                                    began,
                                    parts.clock().instant())));
                }));
    }

    private void deliver(AgentState.Finished finished) {
        parts.delivery()
                .hand(run, result != null ? result : resultOf(finished))
                .compose(_ -> recorded(new AgentRunRows.Delivered(run.id(), fence)))
                .onFailure(cause -> LOG.warn(
                        "cannot deliver the result of agent run {}, retrying: {}", run.id(), cause.getMessage()))
                .onComplete(_ -> leave());
    }
}
