package io.millrace.engine.run.shard;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.config.EngineSettings;
import io.millrace.base.trace.TraceContext;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.actor.RunCancel;
import io.millrace.engine.run.actor.RunDepartures;
import io.millrace.engine.run.actor.RunHost;
import io.millrace.engine.run.actor.RunLimits;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.actor.RunView;
import io.millrace.engine.run.admission.ConcurrencyLimiter;
import io.millrace.engine.run.admission.RunAdmission;
import io.millrace.engine.run.admission.RunShares;
import io.millrace.engine.run.ending.RunEndReports;
import io.millrace.engine.run.ending.RunExit;
import io.millrace.engine.run.journal.LogDictionaries;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.journal.Slices;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlows;
import io.millrace.engine.run.plan.PlanCompiler;
import io.millrace.engine.run.plan.StepTests;
import io.millrace.engine.run.program.PureRuns;
import io.millrace.engine.run.recovery.LeaseEpochs;
import io.millrace.engine.run.recovery.OrphanCheck;
import io.millrace.engine.run.recovery.RunReader;
import io.millrace.engine.run.recovery.RunTakeover;
import io.millrace.engine.run.recovery.TakeoverLimits;
import io.millrace.engine.run.start.KeyedRuns;
import io.millrace.engine.run.start.RunStarter;
import io.millrace.engine.run.start.TriggerRunner;
import io.millrace.engine.run.step.PieceMeters;
import io.millrace.engine.run.step.StepEnvironment;
import io.millrace.engine.run.step.StepRunner;
import io.millrace.engine.run.step.StepServices;
import io.millrace.engine.run.step.StepWaitpoints;
import io.millrace.engine.run.store.StoredRun;
import io.millrace.engine.run.waitpoint.PausedRuns;
import io.millrace.engine.run.waitpoint.RemoteCallers;
import io.millrace.engine.trigger.TriggerHooks;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.piece.file.FileAddresses;
import io.millrace.sandbox.program.CodeEngines;
import io.millrace.sandbox.program.CodePrograms;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flow execution: one shard of the live runs, all on this verticle's event loop. The id of a run determines its shard
 * ({@link RunShards}). Passes messages to {@link RunStarter}, {@link PausedRuns} and {@link RunTakeover}, and is the
 * clock and the reader of the runs that those begin.
 */
public final class RunVerticle extends VerticleBase implements RunClock, RunReader, RunDepartures {
    private static final Logger LOG = LoggerFactory.getLogger(RunVerticle.class);

    private final Bus bus;
    private final EngineSettings settings;
    private final Config.Shutdown shutdown;
    private final int shard;
    private final CompiledFlows flows;
    private final InstantSource clock;
    private final FileAddresses addresses;
    private final Duration slicesKept;
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final StepTests stepTests;
    private final CodeEngines code;
    private final RunAdmission admission;
    private final RunRegistry registry;
    private final RunStarter starter;
    private final RunShards shards;
    private final RemoteCallers remoteCallers;
    private final PausedRuns pausedRuns;
    private final RunTakeover takeover;
    private final RunExit exit;
    private final RunProgressHub watch;
    private Slices slices;
    private LongTexts texts;

    public record Parts(Node node, Execution execution, Links links, Capacity capacity, Reports reports) {}

    public record Node(String id, Bus bus, Config config, RunShards shards, LeaseEpochs epochs, InstantSource clock) {}

    public record Execution(
            PieceCatalogue pieces,
            CodePrograms programs,
            CodeEngines code,
            StepServices services,
            PieceMeters meters,
            TriggerHooks hooks) {}

    public record Links(FileAddresses files, Supplier<String> callerUrl, RequestIds requestIds) {}

    public record Capacity(ConcurrencyLimiter limiter, RunMemory memory, TakeoverLimits takeovers) {}

    public record Reports(RunProgressHub watch, RunEndReports ends, Tracer tracer) {}

    public RunVerticle(Parts parts, int shard) {
        this.bus = parts.node().bus();
        this.settings = parts.node().config().runs().engine();
        this.shutdown = parts.node().config().process().shutdown();
        this.shard = shard;
        var nodeId = parts.node().id();
        var services = parts.execution().services();
        this.clock = parts.node().clock();
        this.addresses = parts.links().files();
        this.slicesKept = slicesKept(parts.node().config());
        var truncation = new InputTruncation(settings.log().inputTruncateBytes());
        this.flows = new CompiledFlows(
                bus,
                new PlanCompiler(parts.execution().pieces(), parts.execution().programs(), truncation));
        this.code = parts.execution().code();
        var steps = new StepRunner(code, truncation, parts.execution().meters());
        this.stepTests = new StepTests(bus);
        var waitpoints = new StepWaitpoints(
                bus,
                parts.links().callerUrl(),
                parts.links().requestIds(),
                settings.timeouts().pauseMax(),
                settings.execution().approvals());
        var triggers = new TriggerRunner(parts.execution().hooks(), services);
        var shards = parts.node().shards();
        var webhooks = parts.node().config().runs().webhooks();
        this.admission = new RunAdmission(
                parts.capacity().limiter(),
                new RunShares(
                        bus,
                        parts.capacity().limiter(),
                        clock,
                        settings.shares().projectsLimited(),
                        settings.shares().concurrentJobsLimit()));
        var limits = new RunLimits(
                settings.timeouts().flow().toMillis(),
                settings.log().bytesMax(),
                settings.log().sliceBytesMin());
        var dictionaries = new LogDictionaries(bus, clock);
        var storage = new RunHost.Storage(
                new ShardWriter(bus, nodeId, dictionaries, stepTests, () -> texts, this::progressed),
                () -> slices,
                parts.capacity().memory());
        var host = new RunHost(
                this,
                new StepEnvironment(steps, services, waitpoints, parts.node().epochs()::fence),
                limits,
                storage,
                new RunHost.Ownership(parts.node().epochs()::term, admission, this),
                new RunHost.Notices(parts.reports().watch(), parts.reports().tracer()));
        this.registry = new RunRegistry(Math.max(1, webhooks.backlogMax() / shards.count()));
        Supplier<String> nextRunId = () -> shards.nextRunId(shard, clock.instant());
        var keyedRuns =
                new KeyedRuns(bus, host, triggers, registry, webhooks.timeout().toMillis(), nextRunId);
        var programs = new PureRuns(
                host,
                registry,
                dictionaries::packed,
                truncation,
                parts.execution().meters(),
                code,
                settings.execution().purePrograms());
        this.starter = new RunStarter(bus, host, flows, stepTests, triggers, registry, keyedRuns, programs, nextRunId);
        this.exit = new RunExit(bus, this, parts.reports().ends());
        this.takeover = new RunTakeover(
                bus,
                host,
                this,
                flows,
                stepTests,
                triggers,
                registry,
                exit,
                parts.capacity().takeovers(),
                this::parked);
        this.shards = shards;
        this.watch = parts.reports().watch();
        this.remoteCallers = new RemoteCallers(bus, nodeId, webhooks.timeout());
        this.pausedRuns = new PausedRuns(bus, this, webhooks.timeout().toMillis(), remoteCallers, takeover::adopt);
    }

    /** Retention of slices: that of the run that refers to them, and never shorter than the longest pause. */
    private static Duration slicesKept(Config config) {
        var retention = Duration.ofDays(config.storage().data().retentionDays());
        var pause = config.runs().engine().timeouts().pauseMax();
        return (pause.compareTo(retention) > 0 ? pause : retention).plusDays(1);
    }

    @Override
    public Future<?> start() {
        texts = new LongTexts(vertx);
        slices = new Slices(vertx, bus, addresses, clock, slicesKept);
        bus.serveAt(RunShards.address(shard), Runs.Start.class, starter::start);
        bus.serveAt(RunShards.launchAddress(shard), RunCommands.Launch.class, starter::launch);
        bus.serveAt(RunShards.cancelAddress(shard), RunCancel.class, registry::cancel);
        bus.serveAt(RunShards.viewAddress(shard), RunView.class, view -> Future.succeededFuture(registry.view(view)));
        bus.serveAt(Waitpoints.address(shard), Waitpoints.Resume.class, this::resume);
        bus.<OwnedRun>on(RunShards.adoptionAddress(shard), this::adopt);
        bus.on(RunShards.ownedAddress(shard), new OrphanCheck(this::isHere, exit::giveAway)::look);
        bus.on(Pieces.Changed.class, _ -> flows.forgetAll());
        bus.on(Runs.TellAgain.class, this::tellAgain);
        bus.on(Runs.ProgressedElsewhere.class, this::progressedElsewhere);
        bus.on(Flows.Expected.class, _ -> expectFlows());
        bus.on(Runs.CallerWaits.class, this::callerWaits);
        bus.on(Runs.AnsweredElsewhere.class, this::answeredElsewhere);
        admission.open();
        return Future.succeededFuture();
    }

    /**
     * Releases the runs that exceed the time for shutdown, including executing steps: the next owner continues them.
     */
    @Override
    public Future<?> stop() {
        var emptied = registry.close();
        registry.tellIfEmpty();
        if (!emptied.future().isComplete()) {
            vertx.setTimer(shutdown.runs().toMillis(), _ -> {
                registry.abandonAll();
                emptied.tryComplete();
            });
        }
        return emptied.future();
    }

    private Future<Waitpoints.ResumeResult> resume(Waitpoints.Resume resume) {
        return registry.isClosing() ? RunRegistry.refusal() : pausedRuns.resume(resume);
    }

    private void callerWaits(Runs.CallerWaits notice) {
        if (shards.shardOf(notice.runId()) == shard) {
            remoteCallers.onCallerWaits(notice);
        }
    }

    private void answeredElsewhere(Runs.AnsweredElsewhere notice) {
        if (remoteCallers.isHere(notice) && shards.shardOf(notice.runId()) == shard) {
            pausedRuns.answered(notice);
        }
    }

    private StartListener parked(String runId) {
        return pausedRuns.take(runId);
    }

    /** The waiting caller of the run is looked up when it begins. */
    private void adopt(OwnedRun run) {
        takeover.adopt(run, StartListener.nobody());
    }

    private void progressed(String runId) {
        takeover.progressed(runId);
    }

    private boolean isHere(String runId) {
        return registry.has(runId) || takeover.has(runId);
    }

    private void expectFlows() {
        flows.expect(this::expect)
                .onSuccess(count -> LOG.info("shard {} has prepared {} enabled flows", shard, count))
                .onFailure(cause -> LOG.warn("shard {} cannot prepare its flows", shard, cause));
    }

    /** The first call of a flow would wait for the start of a worker. */
    private void expect(CompiledFlow flow) {
        flow.programs().forEach(code::warmUp);
        if (flow.evaluatesInWorker()) {
            code.warmUp();
        }
    }

    private void tellAgain(Runs.TellAgain ask) {
        var run = registry.find(ask.runId());
        if (run != null) {
            run.tellAgain(ask.after());
        }
    }

    private void progressedElsewhere(Runs.ProgressedElsewhere told) {
        if (shards.shardOf(told.run().id()) == shard) {
            watch.toldElsewhere(told);
        }
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Future<Read> read(StoredRun stored) {
        return texts.read(stored.bytes(), () -> Read.of(stored));
    }

    @Override
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public void later(Runnable action) {
        context.runOnContext(_ -> action.run());
    }

    @Override
    public long setTimer(long delayMs, Runnable action) {
        return vertx.setTimer(delayMs, _ -> action.run());
    }

    @Override
    public void cancelTimer(long timer) {
        vertx.cancelTimer(timer);
    }

    @Override
    public void pausing(String runId) {
        remoteCallers.waitsHere(runId);
    }

    @Override
    public void paused(Departure run, StartListener caller, OwnedRun next) {
        registry.release(run, false);
        progressed(run.runId());
        pausedRuns.paused(run.runId(), caller);
        if (next != null) {
            adopt(next);
        }
        registry.tellIfEmpty();
    }

    @Override
    public void yielded(Departure run, StartListener caller) {
        registry.release(run, false);
        progressed(run.runId());
        pausedRuns.paused(run.runId(), caller);
        adopt(OwnedRun.of(run.runId(), run.fence()));
        registry.tellIfEmpty();
    }

    @Override
    public void ended(Departure run, RunWrite.Ending ending, Optional<TraceContext> trace) {
        registry.release(run, true);
        progressed(run.runId());
        exit.ended(run.header(), ending, trace);
        registry.tellIfEmpty();
    }

    @Override
    public void abandoned(Departure run, Throwable cause) {
        registry.release(run, false);
        progressed(run.runId());
        exit.abandoned(run.header(), run.fence(), run.stored(), cause);
        registry.tellIfEmpty();
    }
}
