package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.net.Fence;
import io.millrace.engine.agent.machine.AgentEffect;
import io.millrace.engine.agent.machine.AgentEvent;
import io.millrace.engine.agent.machine.AgentLimits;
import io.millrace.engine.agent.machine.AgentMachine;
import io.millrace.engine.agent.machine.AgentState;
import io.millrace.engine.agent.machine.AgentTransition;
import io.millrace.engine.run.Waitpoints;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelResponse;
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
 * One agent run at work: an inbox, the machine, and what performs its effects. Every transition is durable, with what led to
 * it, before its effects begin. Lives on the event loop of {@link AgentVerticle}.
 */
final class AgentActor {
    private static final Logger LOG = LoggerFactory.getLogger(AgentActor.class);

    private static final Duration TURN_MAX = Duration.ofMinutes(10);
    private static final long RETRY_MS = 1_000;

    /** A provider that wants to be left alone for longer is asked all the same: a run waits for it. */
    private static final long PAUSE_MS_MAX = 60_000;

    private static final String UNAVAILABLE = "The AI provider is temporarily unavailable; try again in a few minutes";

    private final Parts parts;
    private final AgentRun run;
    private final AgentWork work;
    private final long fence;
    private final AgentLimits limits;
    private final List<AgentRun.Entry> entries;
    private final Queue<Inbound> inbox = new ArrayDeque<>();
    private final Promise<Void> over = Promise.promise();
    private final Map<String, AgentTool> tools = new LinkedHashMap<>();
    private final AgentObjections objections;
    private final AgentQuestions questions;
    private AgentState state;
    private Optional<ObjectNode> webSearch = Optional.empty();
    private String failure;
    private long pauseMs = RETRY_MS;
    private Fence lease;
    private boolean saving;
    private boolean stopped;

    /** What performing needs. */
    record Parts(
            Bus bus,
            Models models,
            AgentToolbox toolbox,
            AgentCalls calls,
            AgentDelivery delivery,
            LongFunction<Future<Void>> timer,
            Supplier<Fence> leases,
            InstantSource clock) {}

    /** An event, with what is recorded of it. */
    private record Inbound(AgentEvent event, Optional<AgentRun.Entry> entry) {}

    AgentActor(Parts parts, AgentRun.Taken taken) {
        this.parts = parts;
        this.run = taken.run();
        this.work = taken.work();
        this.fence = taken.fence();
        this.limits = taken.work().limits();
        this.entries = new ArrayList<>(taken.entries());
        this.objections = new AgentObjections(tools, entries);
        this.questions = new AgentQuestions(work, tools, entries);
        this.state = run.state();
        this.lease = parts.leases().get();
    }

    /** Begins, or goes on where the run was left. Done when the run has ended and its result is handed over, or was lost. */
    Future<Void> start() {
        if (state instanceof AgentState.Finished finished) {
            deliver(finished);
            return over.future();
        }
        parts.toolbox().open(run, work).onComplete((opened, cause) -> {
            if (cause != null) {
                LOG.warn("agent run {} is taken up later: {}", run.id(), cause.getMessage());
                leave();
                return;
            }
            opened.tools().forEach(tool -> tools.put(tool.name(), tool));
            webSearch = opened.webSearch();
            if (state instanceof AgentState.Accepted) {
                tell(new AgentEvent.Begin());
            } else {
                AgentMachine.inFlight(limits, state).forEach(this::perform);
            }
        });
        return over.future();
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

    /** The run is somebody else's, or the server stops: nothing more is done here. */
    void leave() {
        stopped = true;
        over.tryComplete();
    }

    private void tell(AgentEvent event, Optional<AgentRun.Entry> entry) {
        inbox.add(new Inbound(event, entry));
        next();
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
        saving = true;
        inbound.entry().ifPresent(entries::add);
        ObjectNode result = advanced.state() instanceof AgentState.Finished finished
                ? AgentResult.of(work.instruction(), finished, entries, Optional.ofNullable(failure))
                : null;
        // Noted before the database is asked, which confirms that the run is this node's.
        var confirmed = parts.leases().get();
        // Whoever sees that the run has ended finds in the report what it has used.
        var counted =
                result == null ? Future.<Void>succeededFuture() : parts.models().counted(run.projectId());
        counted.compose(_ -> parts.bus()
                        .ask(
                                new AgentRunRows.Advance(run.id(), fence, advanced.state(), inbound.entry(), result),
                                AgentVerticle.ASK_DEADLINE_MS))
                .onComplete((held, cause) -> {
                    saving = false;
                    if (cause != null || !held) {
                        LOG.warn(
                                "agent run {} is left to others: {}",
                                run.id(),
                                cause == null ? "another node has it" : cause.getMessage());
                        leave();
                        return;
                    }
                    lease = confirmed;
                    state = advanced.state();
                    tellWatchers();
                    advanced.effects().forEach(this::perform);
                    next();
                });
    }

    /** Those who watch the agent, and those who watch the flow run that waits for it. */
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
            case AgentEffect.AbortInFlight _ -> {
                // What comes back is no event of the state any more.
            }
            case AgentEffect.Deliver _ -> deliver((AgentState.Finished) state);
        }
    }

    /**
     * Whether the node's lease has ended since it last confirmed the run: another node may have taken the run over. It is
     * left then, without an outcome; the next claim decides which node carries it on.
     */
    private boolean isFenced(Fence begunUnder) {
        if (!begunUnder.isHeld() && !stopped) {
            LOG.info("agent run {} is left: this server's lease ended meanwhile", run.id());
            leave();
        }
        return !begunUnder.isHeld();
    }

    private void ask(AgentEffect.AskModel ask) {
        var begunUnder = lease;
        var wait = ask.attempt() > 1 ? parts.timer().apply(pauseMs) : Future.<Void>succeededFuture();
        var heard = new AtomicBoolean();
        wait.compose(_ -> isFenced(begunUnder)
                        ? Future.failedFuture("another server may have the run")
                        : parts.models()
                                .askAloud(
                                        run.projectId(),
                                        work.model(),
                                        questions.of(ask.offer(), webSearch),
                                        TURN_MAX.toMillis(),
                                        text -> {
                                            heard.set(true);
                                            AgentNews.tell(parts.bus(), run.id(), new AgentNews(ask.turn(), text));
                                        }))
                .onComplete((answer, cause) -> {
                    if (cause != null && isFenced(begunUnder)) {
                        return;
                    }
                    if (cause == null && answer.ending() == ModelResponse.Ending.REFUSED) {
                        answered(ask, answer, AgentEvent.Shape.WHOLE);
                    } else if (cause == null) {
                        answered(ask, answer, shapeOf(answer));
                    } else if (ApiException.isUnavailable(cause) && !stopped) {
                        // Nothing that the model did: the same question again, once the server can work.
                        parts.timer().apply(RETRY_MS).onComplete(_ -> perform(ask));
                    } else {
                        failed(ask, cause, heard.get());
                    }
                });
    }

    private static AgentEvent.Shape shapeOf(ModelResponse answer) {
        if (answer.ending() == ModelResponse.Ending.CUT_OFF) {
            return AgentEvent.Shape.CUT_OFF;
        }
        return answer.isEmpty() ? AgentEvent.Shape.EMPTY : AgentEvent.Shape.WHOLE;
    }

    private void answered(AgentEffect.AskModel ask, ModelResponse answer, AgentEvent.Shape shape) {
        var entry =
                AgentEntries.ofAnswer(ask.turn(), answer, tools, parts.clock().instant());
        tell(
                new AgentEvent.Answered(
                        ask.turn(),
                        shape,
                        AgentEntries.callsOf(entry.content()).size(),
                        entry.content().has(AgentEntries.COMPLETION),
                        answer.inputTokens() + answer.outputTokens()),
                Optional.of(entry));
    }

    /** @param heard whether some of the answer was there already: such a turn is not asked again (contract agents 2.2) */
    private void failed(AgentEffect.AskModel ask, Throwable cause, boolean heard) {
        if (cause instanceof ModelFailure known && known.isOfBudget()) {
            tell(new AgentEvent.BudgetUsed(ask.turn()));
            return;
        }
        if (cause instanceof ModelFailure told && !told.isRetriable()) {
            failure = told.getMessage();
            tell(new AgentEvent.TurnFailed(ask.turn(), false));
            return;
        }
        LOG.info("agent run {} could not ask its model: {}", run.id(), cause.getMessage());
        failure = cause instanceof ModelFailure
                ? UNAVAILABLE
                : work.model().provider() + " (" + work.model().model() + "): " + cause.getMessage();
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
                .onSuccess(outcome -> ended(
                        begunUnder,
                        outcome,
                        () -> tell(
                                new AgentEvent.CallEnded(call.turn(), call.call(), outcome.failed()),
                                Optional.of(AgentEntries.ofCall(
                                        call,
                                        request,
                                        tool,
                                        outcome,
                                        began,
                                        parts.clock().instant())))));
    }

    /** A failure behind which the lease ended may be a refused request: the model is not told of it. */
    private void ended(Fence begunUnder, AgentCalls.Outcome outcome, Runnable record) {
        if (!outcome.failed() || !isFenced(begunUnder)) {
            record.run();
        }
    }

    private void deliver(AgentState.Finished finished) {
        var result = run.result() != null
                ? run.result()
                : AgentResult.of(work.instruction(), finished, entries, Optional.ofNullable(failure));
        parts.delivery()
                .hand(run, result)
                .compose(_ ->
                        parts.bus().ask(new AgentRunRows.Delivered(run.id(), fence), AgentVerticle.ASK_DEADLINE_MS))
                .onFailure(cause ->
                        LOG.warn("the result of agent run {} is handed over later: {}", run.id(), cause.getMessage()))
                .onComplete(_ -> leave());
    }
}
