package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Guard;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.engine.agent.machine.AgentEffect;
import io.millrace.engine.agent.machine.AgentEnding;
import io.millrace.engine.agent.machine.AgentEvent;
import io.millrace.engine.agent.machine.AgentLimits;
import io.millrace.engine.agent.machine.AgentMachine;
import io.millrace.engine.agent.machine.AgentState;
import io.millrace.engine.agent.machine.AgentTransition;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.journal.RunMemory;
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
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor of one agent run: an inbox, the state machine, and the code that performs its effects. Every transition is durable,
 * together with the event that caused it, before its effects begin. Lives on the event loop of {@link AgentVerticle}.
 */
final class AgentActor implements ModelTurns.Host {
    private static final Logger LOG = LoggerFactory.getLogger(AgentActor.class);

    private static final long RETRY_MS = 1_000;

    /** Longer than a run may take: an effect that has happened is recorded as soon as the database is back. */
    private static final Duration RECORDING_PATIENCE = Duration.ofHours(3);

    /** Pause before a run that waits for memory is claimed again. */
    private static final long MEMORY_PAUSE_MS = 5_000;

    /** Pause before the next attempt to deliver an ended run that has a defect. */
    private static final long DEFECT_PAUSE_MS = 60_000;

    private static final String DEFECT = "The agent ended with an internal server error";

    private final Parts parts;
    private final Bounds bounds;
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
    private final ToolCallPolicy policy;
    private final ModelTurns model;
    private AgentState state;
    private ObjectNode result;
    private final AgentRun.ClaimedRun claimed;
    private final RunMemory.Part memory;
    private long recordBytes;
    private Optional<String> defect = Optional.empty();
    private Fence lease;
    private boolean saving;
    private boolean stopped;

    record Parts(
            Bus bus,
            Models models,
            AgentToolbox toolbox,
            AgentCalls calls,
            AgentDelivery delivery,
            Time time,
            Supplier<Fence> leases,
            OutageRetry retry) {
        record Time(LongFunction<Future<Void>> timer, InstantSource clock) {}
    }

    /**
     * Limits of a run.
     *
     * @param memory of the live runs of this node, which agent runs share
     * @param crashesMax crashes of servers after which a run is set aside (AP_RUN_CRASH_RECOVERIES_MAX)
     */
    record Bounds(RunMemory memory, int crashesMax) {}

    private record Inbound(AgentEvent event, Optional<AgentRun.Entry> entry) {}

    AgentActor(Parts parts, Bounds bounds, AgentRun.ClaimedRun claimed) {
        this.parts = parts;
        this.bounds = bounds;
        this.claimed = claimed;
        this.run = claimed.run();
        this.work = claimed.work();
        this.fence = claimed.fence();
        this.limits = claimed.work().limits();
        this.entries = new ArrayList<>(claimed.records().entries());
        this.recordBytes = claimed.records().bytes();
        this.memory = bounds.memory().begin(Math.min(recordBytes, AgentRunStore.RECORD_BYTES_MAX));
        this.policy = new ToolCallPolicy(tools, entries);
        this.model = new ModelTurns(parts, run, work, tools, leftOut, entries, this);
        this.state = run.state();
        this.lease = parts.leases().get();
        this.result = run.result();
    }

    /**
     * Begins the run, or resumes it from its recorded state. Completes when the run has ended and its result is delivered, or
     * when the node has lost the run.
     *
     * @param isOverdue whether the run has exceeded its time limit
     */
    Future<Void> start(BooleanSupplier isOverdue) {
        over.future().onComplete(_ -> memory.free());
        guarded(() -> {
            if (state instanceof AgentState.Finished finished) {
                deliver(finished);
            } else if (claimed.crashes() > bounds.crashesMax()) {
                setAside("The agent was set aside: " + claimed.crashes()
                        + " servers in succession ended while it was running");
            } else if (isOverdue.getAsBoolean()) {
                tell(new AgentEvent.TimePassed());
            } else if (!claimed.records().isComplete()) {
                setAside(tooLarge());
            } else if (work.equals(AgentWork.UNREADABLE)) {
                struck(new IllegalStateException("expected a readable input, found none"));
            } else {
                parts.toolbox().open(run, work).onComplete((opened, cause) -> guarded(() -> opened(opened, cause)));
            }
        });
        return over.future();
    }

    private void opened(AgentToolbox.ToolSet opened, Throwable cause) {
        if (cause != null) {
            LOG.warn("cannot start agent run {}, retrying: {}", run.id(), cause.getMessage());
            leaveAfter(RETRY_MS);
            return;
        }
        opened.tools().forEach(tool -> tools.put(tool.name(), tool));
        leftOut.addAll(opened.leftOut());
        model.offerWebSearch(opened.webSearch());
        if (state instanceof AgentState.Accepted) {
            tell(new AgentEvent.Begin());
        } else {
            AgentMachine.inFlight(limits, state).forEach(this::perform);
        }
    }

    @Override
    public void guarded(Runnable callback) {
        Guard.run(callback, this::struck);
    }

    /** Ends the run; one that has ended already is handed over by a later attempt. */
    private void struck(Throwable defect) {
        LOG.error("agent run {} ends because of a defect", run.id(), defect);
        if (state instanceof AgentState.Finished) {
            leaveAfter(DEFECT_PAUSE_MS);
        } else {
            setAside(DEFECT);
        }
    }

    private void setAside(String reason) {
        defect = Optional.of(reason);
        tell(new AgentEvent.Defect());
    }

    private String tooLarge() {
        return "The agent was stopped: the answers of its model and the results of its tools have " + recordBytes
                + " bytes; expected at most " + AgentEntries.BYTES_MAX;
    }

    @Override
    public Fence lease() {
        return lease;
    }

    @Override
    public Future<Void> aborted() {
        return abort.future();
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
        parts.time().timer().apply(pauseMs).onComplete(_ -> leave());
    }

    @Override
    public void tell(AgentEvent event, Optional<AgentRun.Entry> entry) {
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

    private void add(AgentRun.Entry entry) {
        entries.add(entry);
        var bytes = Json.bytes(entry.content()).length;
        recordBytes += bytes;
        memory.addTree(bytes);
    }

    private void save(Inbound inbound, AgentTransition.Advanced advanced) {
        inbound.entry().ifPresent(this::add);
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
            var reason = defect.filter(_ -> finished.ending() != AgentEnding.USAGE_LIMIT)
                    .or(() -> model.reason(finished.ending()));
            return AgentResult.of(work, finished, entries, reason);
        } catch (RuntimeException defect) {
            LOG.error("cannot build the result of agent run {} from its records", run.id(), defect);
            return AgentResult.broken(work.prompt().instruction(), DEFECT);
        }
    }

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

    /** A run waits for memory between two turns only: calls in flight would be repeated. */
    private void ask(AgentEffect.AskModel ask) {
        if (recordBytes > AgentEntries.BYTES_MAX) {
            model.end(ask, tooLarge());
        } else if (memory.isTooLarge()) {
            model.end(ask, "The agent was stopped: its records exceed the memory of runs (AP_RUN_MEMORY_MAX_MB)");
        } else if (memory.isToGiveWay()) {
            LOG.info("agent run {} waits for memory of runs (AP_RUN_MEMORY_MAX_MB)", run.id());
            stopped = true;
            entries.clear();
            memory.free();
            leaveAfter(MEMORY_PAUSE_MS);
        } else {
            model.ask(ask);
        }
    }

    /**
     * Returns true if the node's lease has ended since it last confirmed the run: another node may own the run now. The actor
     * then leaves the run without an outcome; the next claim decides which node continues it.
     */
    @Override
    public boolean isFenced(Fence begunUnder) {
        if (!begunUnder.isHeld() && !stopped) {
            LOG.info("agent run {} is released: the lease of this server ended", run.id());
            leave();
        }
        return !begunUnder.isHeld();
    }

    /** Returns true if the run still waits for this answer; it may have been canceled during a pause. */
    @Override
    public boolean isCurrent(AgentEffect.AskModel ask) {
        return !stopped
                && state instanceof AgentState.Asking(var progress, var attempt)
                && progress.turn() == ask.turn()
                && attempt == ask.attempt();
    }

    private void call(AgentEffect.CallTool call) {
        var request = AgentEntries.requestOf(call, entries);
        var tool = tools.get(request.name());
        var began = parts.time().clock().instant();
        var begunUnder = lease;
        if (isFenced(begunUnder)) {
            return;
        }
        policy.objection(call, request)
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
                                    parts.time().clock().instant())));
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
