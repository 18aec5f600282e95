package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Bus;
import io.millrace.bus.Notice;
import io.millrace.code.CodeCompiler;
import io.millrace.code.CodeRunner;
import io.millrace.config.Config;
import io.millrace.file.FileAddresses;
import io.millrace.flow.Flows;
import io.millrace.piece.PieceCatalogue;
import io.millrace.piece.Pieces;
import io.millrace.trigger.TriggerHooks;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flow execution: one shard of the live runs, all on this verticle's event loop. A run belongs to the shard that its id
 * names ({@link RunShards}). It hands what it hears to {@link NewRuns}, {@link PausedRuns} and {@link AdoptedRuns}, and
 * is the host of the runs that those begin.
 */
public final class RunVerticle extends VerticleBase implements RunHost {
    private static final Logger LOG = LoggerFactory.getLogger(RunVerticle.class);

    /** Longest wait at a stop for runs to end; what lives longer is carried on by the next owner. */
    private static final long STOP_GRACE_MS = 10_000;

    /** A larger log would hold the event loop for more than a few milliseconds. */
    private static final long SERIALISED_WHOLE_BYTES_MAX = 32 * 1024;

    private static final long SERIALISED_IN_PLACE_BYTES_MAX = 512 * 1024;

    private final Bus bus;
    private final Config.Engine settings;
    private final int shard;
    private final String nodeId;
    private final CompiledFlows flows;
    private final StepRunner steps;
    private final StepServices services;
    private final InstantSource clock;
    private final FileAddresses addresses;
    private final Duration slicesKept;
    private final RunMemory memory;
    private final RunWatch watch;
    private final LeaseTerms terms;
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final StepTests stepTests;
    private final StepWaitpoints waitpoints;
    private final CodeRunner code;
    private final RunAdmission admission;
    private final RunRoster roster;
    private final NewRuns newRuns;
    private final PausedRuns pausedRuns;
    private final AdoptedRuns adoptedRuns;
    private final LeavingRuns leavingRuns;
    private Slices slices;

    /** Everything that the shards of a node share. */
    public record Parts(
            Bus bus,
            Config config,
            RunShards shards,
            String nodeId,
            PieceCatalogue pieces,
            CodeCompiler compiler,
            CodeRunner code,
            StepServices services,
            TriggerHooks hooks,
            FileAddresses addresses,
            Supplier<String> publicUrl,
            RunSlots slots,
            RunMemory memory,
            RunWatch watch,
            LeaseTerms terms,
            InstantSource clock) {}

    public RunVerticle(Parts parts, int shard) {
        this.bus = parts.bus();
        this.settings = parts.config().engine();
        this.shard = shard;
        this.nodeId = parts.nodeId();
        this.services = parts.services();
        this.clock = parts.clock();
        this.addresses = parts.addresses();
        this.memory = parts.memory();
        this.slicesKept = slicesKept(parts.config());
        this.watch = parts.watch();
        this.terms = parts.terms();
        this.flows = new CompiledFlows(bus, new PlanCompiler(parts.pieces(), parts.compiler()));
        this.code = parts.code();
        this.steps = new StepRunner(code, new InputTruncation(settings.inputTruncateBytes()));
        this.stepTests = new StepTests(bus);
        this.waitpoints = new StepWaitpoints(bus, parts.publicUrl(), settings.pauseMax());
        var triggers = new TriggerRunner(parts.hooks(), services);
        var shards = parts.shards();
        var webhooks = parts.config().webhooks();
        this.admission = new RunAdmission(
                bus,
                parts.slots(),
                new FlowShares(bus, parts.slots(), clock),
                settings.projectsLimited(),
                settings.concurrentJobsLimit());
        this.roster = new RunRoster(admission, triggers, Math.max(1, webhooks.backlogMax() / shards.count()));
        Supplier<String> nextRunId = () -> shards.nextRunId(shard, clock.instant());
        var keyedRuns =
                new KeyedRuns(bus, this, triggers, roster, webhooks.timeout().toMillis(), nextRunId);
        this.newRuns = new NewRuns(this, flows, stepTests, triggers, roster, keyedRuns, nextRunId);
        this.leavingRuns = new LeavingRuns(bus, this);
        this.adoptedRuns = new AdoptedRuns(bus, this, flows, stepTests, triggers, roster, leavingRuns, this::parked);
        this.pausedRuns = new PausedRuns(bus, this, webhooks.timeout().toMillis(), adoptedRuns::adopt);
    }

    /** As long as the run that refers to them, and never shorter than the run may pause. */
    private static Duration slicesKept(Config config) {
        var retention = Duration.ofDays(config.data().retentionDays());
        var pause = config.engine().pauseMax();
        return (pause.compareTo(retention) > 0 ? pause : retention).plusDays(1);
    }

    @Override
    public Future<?> start() {
        slices = new Slices(vertx, bus, addresses, clock, slicesKept);
        bus.serveDesk(RunShards.desk(shard), Runs.Start.class, newRuns::start);
        bus.serveDesk(RunShards.launchDesk(shard), Runs.Launch.class, newRuns::launch);
        bus.serveDesk(RunShards.cancelDesk(shard), RunCancel.class, roster::cancel);
        bus.serveDesk(Waitpoints.desk(shard), Waitpoints.Resume.class, this::resume);
        bus.<LiveRun>on(RunShards.adoptionDesk(shard), this::adopt);
        bus.on(RunShards.ownedDesk(shard), new LostRuns(roster::has, leavingRuns::giveAway)::look);
        bus.on(Pieces.Changed.class, _ -> flows.forgetAll());
        bus.on(Runs.TellAgain.class, this::tellAgain);
        bus.on(Flows.Expected.class, _ -> expectFlows());
        admission.open();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        if (roster.isEmpty()) {
            return Future.succeededFuture();
        }
        var emptied = roster.close();
        vertx.setTimer(STOP_GRACE_MS, _ -> emptied.tryComplete());
        return emptied.future();
    }

    private Future<Waitpoints.Resumed> resume(Waitpoints.Resume resume) {
        return roster.isClosing() ? RunRoster.refusal() : pausedRuns.resume(resume);
    }

    private RunWaiter parked(String runId) {
        return pausedRuns.take(runId);
    }

    private void adopt(LiveRun left) {
        adoptedRuns.adopt(left, pausedRuns.take(left.birth().id()));
    }

    private void expectFlows() {
        flows.expect(flow -> {
                    if (flow.runsCode()) {
                        code.warmUp();
                    }
                })
                .onSuccess(count -> LOG.info("shard {} is ready for {} enabled flows", shard, count))
                .onFailure(cause -> LOG.warn("shard {} could not get ready for its flows", shard, cause));
    }

    private void tellAgain(Runs.TellAgain ask) {
        var run = roster.find(ask.runId());
        if (run != null) {
            run.tellAgain(ask.after());
        }
    }

    @Override
    public String nodeId() {
        return nodeId;
    }

    @Override
    public StepRunner steps() {
        return steps;
    }

    @Override
    public StepServices services() {
        return services;
    }

    @Override
    public StepWaitpoints waitpoints() {
        return waitpoints;
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
    public long flowTimeoutMs() {
        return settings.flowTimeout().toMillis();
    }

    @Override
    public long logBytesMax() {
        return settings.logBytesMax();
    }

    @Override
    public RunMemory memory() {
        return memory;
    }

    @Override
    public RunWatch watch() {
        return watch;
    }

    @Override
    public long term() {
        return terms.term();
    }

    @Override
    public Slices slices() {
        return slices;
    }

    @Override
    public long sliceBytesMin() {
        return settings.sliceBytesMin();
    }

    @Override
    public Future<Boolean> write(RunWrite write) {
        return bus.ask(RunService.WRITER, write, RunWrite.DEADLINE_MS);
    }

    @Override
    public Future<Pauses.Paused> pause(Pauses.Pause pause) {
        return bus.ask(pause, RunWrite.DEADLINE_MS);
    }

    /** Large ones one after another: each takes several times its size while it is written. */
    @Override
    public Future<Buffer> serialise(JsonNode log, long bytes) {
        if (bytes <= SERIALISED_WHOLE_BYTES_MAX) {
            return Future.succeededFuture(RecordText.of(log));
        }
        return bytes <= SERIALISED_IN_PLACE_BYTES_MAX
                ? Future.succeededFuture(RecordText.ofLong(log))
                : vertx.executeBlocking(() -> RecordText.ofLong(log), true);
    }

    @Override
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public Future<ObjectNode> keepSample(String flowVersionId, String stepName, JsonNode record) {
        return stepTests.keep(flowVersionId, stepName, record);
    }

    @Override
    public void tell(Notice notice) {
        bus.publish(notice);
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
    public void paused(RunActor run, RunWaiter caller, LiveRun next) {
        roster.letGo(run, false);
        pausedRuns.paused(run.runId(), caller);
        if (next != null) {
            adopt(next);
        }
        roster.tellIfEmpty();
    }

    @Override
    public void ended(RunActor run, RunStatus status) {
        roster.letGo(run, true);
        leavingRuns.ended(run.birth(), status);
        roster.tellIfEmpty();
    }

    @Override
    public void abandoned(RunActor run, Throwable cause) {
        roster.letGo(run, false);
        leavingRuns.abandoned(run.birth(), run.fence(), run.isStored(), cause);
        roster.tellIfEmpty();
    }
}
