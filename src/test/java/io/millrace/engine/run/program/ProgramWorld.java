package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.limit.FlowLimits;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Notice;
import io.millrace.base.config.Config;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.net.Fence;
import io.millrace.base.trace.TraceContext;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.RunWriter;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.actor.RunActor;
import io.millrace.engine.run.actor.RunDepartures;
import io.millrace.engine.run.actor.RunHost;
import io.millrace.engine.run.actor.RunLimits;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.admission.ConcurrencyLimiter;
import io.millrace.engine.run.admission.RunAdmission;
import io.millrace.engine.run.admission.RunShares;
import io.millrace.engine.run.ending.EndedRunLog;
import io.millrace.engine.run.ending.RunEndMeters;
import io.millrace.engine.run.ending.RunEndReports;
import io.millrace.engine.run.ending.RunExit;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.journal.Slices;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.LifecycleEvent.Prepared;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.step.PieceMeters;
import io.millrace.engine.run.step.StepEnvironment;
import io.millrace.engine.run.step.StepRunner;
import io.millrace.engine.run.step.StepServices;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.input.FileFetcher;
import io.millrace.sandbox.program.CodeEngines;
import io.millrace.sandbox.program.WorkerCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A shard without a database: the general engine and programs, with the same services. Confined to one thread. */
final class ProgramWorld implements RunClock, RunWriter, RunDepartures {
    private static final Instant NOW = Instant.parse("2026-01-05T10:20:30.123456Z");
    private static final InputTruncation TRUNCATION = new InputTruncation(2 * 1024);

    final List<RunWrite> writes = new ArrayList<>();

    /** Notices on the bus. */
    final List<Notice> notices = new ArrayList<>();

    final RunMemory memory = new RunMemory(1 << 30);
    final RunRegistry registry = new RunRegistry(100);
    final ConcurrencyLimiter limiter = new ConcurrencyLimiter(clock(), (_, _) -> {});
    final MeterSet meters = new MeterSet();
    final RunProgressHub hub;
    final PureRuns programs;
    final AtomicInteger limitLookups = new AtomicInteger();
    final Bus bus;
    Future<Boolean> written = Future.succeededFuture(true);

    private final Queue<Runnable> due = new ArrayDeque<>();
    private final RunHost host;
    private final RunExit exit;
    private RandomGenerator random = new SplittableRandom(1);

    ProgramWorld(Vertx vertx) {
        bus = new Bus(vertx);
        serveLimits(bus);
        record(vertx, bus);
        var pieceMeters = new PieceMeters(meters);
        hub = new RunProgressHub(bus);
        // The closures of code steps run in the server: no worker is needed.
        var code = new CodeEngines(new WorkerCode(null, true), null, null);
        var shares = new RunShares(bus, limiter, clock(), false, 1);
        Supplier<Slices> noSlices = () -> {
            throw new AssertionError("expected no output that is stored apart");
        };
        host = new RunHost(
                this,
                new StepEnvironment(new StepRunner(code, TRUNCATION, pieceMeters), services(), null, () -> Fence.OPEN),
                new RunLimits(600_000, 10 << 20, 32 * 1024),
                new RunHost.Storage(this, noSlices, memory),
                new RunHost.Ownership(() -> 1, new RunAdmission(limiter, shares), this),
                new RunHost.Notices(hub, Tracer.OFF));
        var reports = new RunEndReports(
                new EndedRunLog(() -> new Config.Logging("info", "text", 0, 0, 0)), new RunEndMeters(meters));
        exit = new RunExit(bus, this, reports);
        programs = new PureRuns(
                host,
                registry,
                (_, text) -> Buffer.buffer(CompressedText.of(text)),
                TRUNCATION,
                pieceMeters,
                code,
                true);
    }

    /** Services for steps; none of them reads a remote file. */
    private static StepServices services() {
        FileFetcher files = _ -> Future.failedFuture(PieceFailure.of("expected no remote file"));
        return (StepServices) Proxy.newProxyInstance(
                ProgramWorld.class.getClassLoader(), new Class<?>[] {StepServices.class}, (_, method, _) -> {
                    if (method.getName().equals("files")) {
                        return files;
                    }
                    throw new AssertionError("expected no request of a pure step, found " + method.getName());
                });
    }

    /** Flows have no limits. */
    private void serveLimits(Bus bus) {
        bus.serve(FlowLimits.FindInForce.class, _ -> {
            limitLookups.incrementAndGet();
            return Future.succeededFuture(new FlowLimits.InForce(Optional.empty(), List.of()));
        });
    }

    /** Registers a listener for each class of notices: a notice without a listener is not sent. */
    private void record(Vertx vertx, Bus bus) {
        for (var type : Runs.class.getPermittedSubclasses()) {
            if (Notice.class.isAssignableFrom(type)) {
                bus.on(type.asSubclass(Notice.class), _ -> {});
            }
        }
        vertx.eventBus().addOutboundInterceptor(delivery -> {
            if (delivery.body() instanceof Notice notice) {
                notices.add(notice);
            }
            delivery.next();
        });
    }

    /** Returns whether the limits of the flow are known, and admit a run. */
    boolean isAdmitted(CompiledFlow flow) {
        var start = ProgramEquivalenceTest.start(NullNode.getInstance(), true);
        return programs.isAdmitted(start.header(start.runId(), NOW, flow.flowName()), true);
    }

    void forget() {
        writes.clear();
        notices.clear();
    }

    void seed(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Starts a run in the general engine. */
    Future<Runs.StartResult> startGeneral(CompiledFlow flow, Runs.Start start, JsonNode item) {
        var started = Promise.<Runs.StartResult>promise();
        var acceptance = Promise.<String>promise();
        var header = start.header(start.runId(), now(), flow.flowName());
        var listener =
                start.waiting() ? new StartListener.ForAnswer(started) : new StartListener.ForAcceptance(acceptance);
        var actor = new RunActor(host, flow, header, item, listener);
        registry.add(actor);
        actor.accept(new Prepared());
        while (!due.isEmpty()) {
            due.remove().run();
        }
        return start.waiting()
                ? started.future()
                : acceptance.future().map(id -> new Runs.StartResult.Accepted(List.of(id)));
    }

    @Override
    public InstantSource clock() {
        return InstantSource.fixed(NOW);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Instant now() {
        return NOW;
    }

    @Override
    public void later(Runnable action) {
        due.add(action);
    }

    @Override
    public long setTimer(long delayMs, Runnable action) {
        return 1;
    }

    @Override
    public void cancelTimer(long timer) {}

    @Override
    public String nodeId() {
        return "node";
    }

    @Override
    public Future<Boolean> write(RunWrite write) {
        writes.add(write);
        return written;
    }

    @Override
    public Future<Pauses.PauseResult> pause(Pauses.Pause pause) {
        throw new AssertionError("expected no pause");
    }

    @Override
    public Future<Boolean> noteStep(String runId, long fence, String path) {
        throw new AssertionError("expected no step that is noted");
    }

    @Override
    public Future<Buffer> serialise(JsonNode value, long bytes) {
        return Future.succeededFuture(RecordText.of(value));
    }

    @Override
    public Future<Buffer> log(String flowVersionId, JsonNode steps, long bytes) {
        return Future.succeededFuture(RecordText.of(steps));
    }

    @Override
    public Future<ObjectNode> keepSample(String flowVersionId, String stepName, JsonNode record) {
        throw new AssertionError("expected no sample");
    }

    @Override
    public void tell(Notice notice) {
        notices.add(notice);
    }

    @Override
    public void pausing(String runId) {
        throw new AssertionError("expected no pause");
    }

    @Override
    public void paused(Departure run, StartListener caller, OwnedRun next) {
        throw new AssertionError("expected no pause");
    }

    @Override
    public void yielded(Departure run, StartListener caller) {
        throw new AssertionError("expected enough memory");
    }

    @Override
    public void ended(Departure run, RunWrite.Ending ending, Optional<TraceContext> trace) {
        registry.release(run, true);
        exit.ended(run.header(), ending, trace);
    }

    @Override
    public void abandoned(Departure run, Throwable cause) {
        registry.release(run, false);
        exit.abandoned(run.header(), run.fence(), run.stored(), cause);
    }
}
