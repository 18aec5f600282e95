package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.ApiException;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.actor.RunDepartures;
import io.millrace.engine.run.actor.RunHost;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.admission.RunAdmission;
import io.millrace.engine.run.admission.RunPermit;
import io.millrace.engine.run.journal.PendingResponse;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.step.PieceMeters;
import io.millrace.sandbox.program.CodeEngines;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calls of pure flow versions without an actor. The general engine is the authority: a call that meets anything
 * unusual is left to it before anything is written. Confined to the event loop of one shard.
 */
public final class PureRuns {
    private static final Logger LOG = LoggerFactory.getLogger(PureRuns.class);

    /** Longest log; also bounds the time of a walk. */
    private static final int LOG_BYTES_MAX = 16 * 1024;

    /** A program is compiled again in some microseconds. */
    private static final int PROGRAMS_MAX = 10_000;

    private static final Duration KEPT_FOR = Duration.ofHours(25);

    private final RunHost host;
    private final RunRegistry registry;
    private final PackedLogs logs;
    private final InputTruncation truncation;
    private final PieceMeters meters;
    private final ProgramCompiler.Closures closures;
    private final boolean isOn;
    private final JsonBytes log;
    private final Cache<CompiledFlow, ProgramUse> programs;

    @FunctionalInterface
    public interface PackedLogs {
        Buffer packed(String flowVersionId, byte[] text);
    }

    /**
     * @param code gives the closures of code steps
     * @param isOn false to leave all runs to the general engine (AP_PURE_PROGRAMS_ENABLED)
     */
    public PureRuns(
            RunHost host,
            RunRegistry registry,
            PackedLogs logs,
            InputTruncation truncation,
            PieceMeters meters,
            CodeEngines code,
            boolean isOn) {
        this.host = host;
        this.registry = registry;
        this.logs = logs;
        this.truncation = truncation;
        this.meters = meters;
        this.closures = code::closure;
        this.isOn = isOn;
        this.programs = Caches.living(
                        "run.programs", PROGRAMS_MAX, KEPT_FOR, host.clock().clock())
                .weakKeys()
                .build();
        // Below the limits of a run, so that the general engine decides about those. It counts up to 64 bytes more for
        // a step.
        var limits = host.limits();
        this.log = new JsonBytes(
                (int) Math.min(LOG_BYTES_MAX, Math.min(limits.logBytesMax() / 2, limits.sliceBytesMin())));
    }

    /** Empty when the general engine has to start the run. */
    public Optional<Future<Runs.StartResult>> start(CompiledFlow flow, Runs.Start start, JsonNode item) {
        if (!isOn || !isUsual(start)) {
            return Optional.empty();
        }
        var use = programs.get(flow, made -> new ProgramUse(ProgramCompiler.compile(made, closures)));
        if (!use.isWorthTrying()) {
            return Optional.empty();
        }
        var header = start.header(start.runId(), host.clock().now(), flow.flowName());
        if (!host.ownership().admission().isDecidedAtOnce(header)) {
            return Optional.empty();
        }
        var run = new ProgramRun(use.program(), header, host.clock(), truncation, log, start.waiting());
        var isKept = run.walk(item);
        use.tried(isKept);
        if (!isKept || !isAdmitted(header, start.waiting())) {
            return Optional.empty();
        }
        var packed = logs.packed(flow.flowVersionId(), run.log());
        return Optional.of(ended(header, run, packed, start.waiting()));
    }

    private boolean isUsual(Runs.Start start) {
        return start.environment() == RunEnvironment.PRODUCTION
                && start.parent().runId() == null
                && start.call().idempotencyKey() == null
                && !host.notices().tracer().isOn()
                && !host.notices().watch().isWatched(start.runId());
    }

    boolean isAdmitted(RunWrite.RunHeader header, boolean isAwaited) {
        var applicant = new ShortApplicant();
        host.ownership().admission().admit(header, 0, isAwaited, applicant);
        return applicant.isAdmitted();
    }

    private Future<Runs.StartResult> ended(
            RunWrite.RunHeader header, ProgramRun run, Buffer packed, boolean isAwaited) {
        run.count(meters);
        var end = RunState.Ended.succeeded(run.stepsCount());
        var ending = new RunWrite.Ending(
                end.status(), host.clock().clock().instant(), null, List.of(), end.stepsCount(), packed);
        var started = Promise.<Runs.StartResult>promise();
        var acceptance = Promise.<String>promise();
        var caller = new PendingResponse(
                header.id(),
                isAwaited ? new StartListener.ForAnswer(started) : new StartListener.ForAcceptance(acceptance));
        if (run.answer() != null) {
            caller.answer(run.answer());
        }
        var written = host.storage().writer().write(new RunWrite.InsertEnded(header, ending));
        var memory = host.storage().memory().begin(packed.length());
        registry.enter(header.projectId());
        written.onComplete(done -> {
            memory.free();
            registry.leave(header.projectId());
            written(header, ending, caller, done);
        });
        return isAwaited ? started.future() : acceptance.future().map(id -> new Runs.StartResult.Accepted(List.of(id)));
    }

    private void written(
            RunWrite.RunHeader header, RunWrite.Ending ending, PendingResponse caller, AsyncResult<Boolean> done) {
        var departed = new RunDepartures.Departure(null, header, 0, false);
        if (done.succeeded() && done.result()) {
            caller.ended(RunStatus.SUCCEEDED);
            host.ownership().departures().ended(departed, ending, Optional.empty());
        } else {
            logLoss(header.id(), done.cause());
            caller.lost(done.cause());
            host.ownership().departures().abandoned(departed, done.cause());
        }
    }

    private static void logLoss(String runId, Throwable cause) {
        if (cause == null) {
            LOG.warn("run {} has another owner", runId);
        } else if (ApiException.isUnavailable(cause)) {
            // The cause is logged already, and a busy server would repeat this a thousand times a second.
            LOG.debug("run {} could not be saved: {}", runId, cause.getMessage());
        } else {
            LOG.error("run {} could not be saved", runId, cause);
        }
    }

    /** Takes a permit that is free at once, and returns it: the walk is over. */
    private static final class ShortApplicant implements RunAdmission.Applicant {
        private boolean admitted;
        private boolean decided;

        boolean isAdmitted() {
            decided = true;
            return admitted;
        }

        @Override
        public void granted() {
            admitted = !decided;
        }

        @Override
        public void taken(RunPermit permit) {
            admitted = !decided && permit.isHeldAtOnce();
            permit.giveBack();
        }

        @Override
        public void grantedLater() {
            // The permit is returned already.
        }

        @Override
        public void refused(Throwable cause) {
            // The general engine asks again.
        }
    }
}
