package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.FlushMeters;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.run.admission.ConcurrencyLimiter;
import io.millrace.engine.run.admission.ConcurrencyLimiter.Alarm;
import io.millrace.engine.run.admission.NodePermits;
import io.millrace.engine.run.admission.PermitClaimService;
import io.millrace.engine.run.admission.PermitExchange;
import io.millrace.engine.run.ending.EndedRunLog;
import io.millrace.engine.run.ending.RunCancellation;
import io.millrace.engine.run.ending.RunEndMeters;
import io.millrace.engine.run.ending.RunEndReports;
import io.millrace.engine.run.ending.RunEndings;
import io.millrace.engine.run.ending.RunRetry;
import io.millrace.engine.run.flowtest.FlowTestEngine;
import io.millrace.engine.run.flowtest.FlowTestRoutes;
import io.millrace.engine.run.flowtest.FlowTestService;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.query.RunAdministrationRoutes;
import io.millrace.engine.run.query.RunEventRoutes;
import io.millrace.engine.run.query.RunMeters;
import io.millrace.engine.run.query.RunMetricsRoutes;
import io.millrace.engine.run.query.RunRoutes;
import io.millrace.engine.run.query.RunStartRoutes;
import io.millrace.engine.run.recovery.LeaseEpochs;
import io.millrace.engine.run.recovery.RunHousekeepingService;
import io.millrace.engine.run.recovery.RunTakeoverService;
import io.millrace.engine.run.recovery.TakeoverLimits;
import io.millrace.engine.run.redecide.WalkExecutor;
import io.millrace.engine.run.replay.HistoryComparison;
import io.millrace.engine.run.replay.HistoryRequests;
import io.millrace.engine.run.replay.HistoryRoutes;
import io.millrace.engine.run.replay.HistoryService;
import io.millrace.engine.run.replay.RedecisionEngine;
import io.millrace.engine.run.replay.RehearsalService;
import io.millrace.engine.run.replay.ReplayRoutes;
import io.millrace.engine.run.replay.ReplayService;
import io.millrace.engine.run.retention.RunRetentionRoutes;
import io.millrace.engine.run.retention.RunRetentionService;
import io.millrace.engine.run.shard.RunVerticle;
import io.millrace.engine.run.start.RunIngest;
import io.millrace.engine.run.start.RunIngestService;
import io.millrace.engine.run.start.RunStarts;
import io.millrace.engine.run.start.StartKeyService;
import io.millrace.engine.run.step.PieceMeters;
import io.millrace.engine.run.store.LogDictionaryService;
import io.millrace.engine.run.store.RunOwnership;
import io.millrace.engine.run.store.RunService;
import io.millrace.engine.run.store.StepListService;
import io.millrace.engine.run.waitpoint.WaitpointService;
import io.millrace.engine.trigger.TriggerHooks;
import io.millrace.integration.live.EditorService;
import io.millrace.integration.live.LiveRoutes;
import io.millrace.integration.live.PolledClients;
import io.millrace.integration.live.PolledRelay;
import io.millrace.piece.file.FileAddresses;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Runs, from their first step to their end, and subscriptions to them. */
public final class RunModule implements ServerModule {
    /**
     * Maximum number of claimed runs that wait on this node: few enough to leave runs to other nodes and to keep a claim
     * short.
     */
    private static final int TAKEOVERS_WAITING_MAX = 500;

    private final ServerContext context;
    private final RunProgressHub watch;
    private final RunVerticle.Parts parts;
    private final PolledClients polledClients;
    private final RequestIds requestIds;
    private final RunMeters meters;
    private final WalkExecutor walks;
    private final HistoryRequests history;
    private final List<BusService> busServices;
    private Optional<PermitExchange> permitExchange = Optional.empty();

    RunModule(ServerContext context, CodeModule code, PieceModule pieces, TriggerHooks hooks, FileAddresses addresses) {
        this.context = context;
        var engine = context.config().runs().engine();
        watch = new RunProgressHub(context.bus());
        polledClients = new PolledClients(context.nodes().node().id());
        requestIds = new RequestIds(context.linkSecrets());
        var epochs = context.nodes().node().lease();
        var limiter = limiter(epochs);
        parts = new RunVerticle.Parts(
                new RunVerticle.Node(
                        context.nodes().node().id(),
                        context.bus(),
                        context.config(),
                        context.nodes().node().shards(),
                        epochs,
                        context.clock()),
                new RunVerticle.Execution(
                        pieces.catalogue(),
                        code.programs(),
                        code.engines(),
                        pieces.stepServices(),
                        new PieceMeters(context.observation().meters()),
                        hooks),
                new RunVerticle.Links(addresses, context.callerUrl(), requestIds),
                new RunVerticle.Capacity(
                        limiter,
                        new RunMemory(engine.sizes().memoryBytesMax()),
                        new TakeoverLimits(
                                TAKEOVERS_WAITING_MAX, engine.execution().crashRecoveriesMax())),
                new RunVerticle.Reports(
                        watch,
                        new RunEndReports(
                                new EndedRunLog(() -> context.core()
                                        .live()
                                        .get()
                                        .observation()
                                        .logging()),
                                new RunEndMeters(context.observation().meters())),
                        context.observation().tracer()));
        meters = new RunMeters(context.observation().meters());
        context.observation()
                .meters()
                .gauge(ServerMeter.RUN_MEMORY, parts.capacity().memory()::used);
        walks = new WalkExecutor(context.vertx().createSharedWorkerExecutor("flow-walk", WalkExecutor.THREADS));
        history = history();
        busServices = services();
    }

    /** Concurrency limiter; nodes of a cluster share one limit. */
    private ConcurrencyLimiter limiter(LeaseEpochs epochs) {
        var node = context.nodes().node();
        Alarm alarm = (delayMs, action) -> context.vertx().setTimer(delayMs, _ -> action.run());
        if (node.isAlone()) {
            return new ConcurrencyLimiter(context.clock(), alarm);
        }
        var permits = new NodePermits(epochs::term);
        var limiter = new ConcurrencyLimiter(context.clock(), alarm, permits);
        permitExchange = Optional.of(new PermitExchange(context.bus(), node.id(), permits, limiter));
        return limiter;
    }

    public Optional<PermitExchange> permitExchange() {
        return permitExchange;
    }

    public Future<Void> measured() {
        return meters.refresh(context.bus());
    }

    public RunVerticle.Parts parts() {
        return parts;
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<BusService> loopServices() {
        var vertx = context.vertx();
        var database = context.database();
        var nodeId = context.nodes().node().id();
        var patience = context.config().storage().postgres().patience();
        var keysKept = context.config().runs().webhooks().keys().kept();
        var clock = context.clock();
        var flushes = new FlushMeters(context.observation().meters());
        return List.of(
                new RunService(
                        vertx,
                        context.bus(),
                        database,
                        context.nodes().node().shards(),
                        nodeId,
                        patience,
                        flushes,
                        clock),
                new StepListService(vertx, database),
                new LogDictionaryService(database, clock),
                new StartKeyService(vertx, database, nodeId, keysKept, patience, clock),
                new RunIngestService(vertx, context.bus(), database, patience, clock),
                new RunOwnership(database, nodeId));
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new RunRoutes(bus),
                new RunStartRoutes(bus),
                new RunEventRoutes(bus, watch),
                new LiveRoutes(bus, watch, polledClients),
                new RunAdministrationRoutes(bus),
                new ReplayRoutes(bus),
                new FlowTestRoutes(bus),
                new HistoryRoutes(history),
                new RunRetentionRoutes(bus, context.config().storage().data().retentionDays()),
                new RunMetricsRoutes(
                        bus,
                        meters,
                        context.observation().metrics(),
                        context.config().observation().monitoring().isCounting()));
    }

    private ReplayService replays() {
        var node = context.nodes().node();
        var retentionDays = context.config().storage().data().retentionDays();
        return new ReplayService(
                context.vertx(),
                context.bus(),
                context.database(),
                new ReplayService.Owner(node.shards(), node.id(), retentionDays, context.clock()),
                redecisions(),
                walks,
                context.security().auditLog());
    }

    private HistoryRequests history() {
        var engine = context.config().runs().engine();
        return new HistoryRequests(
                context.vertx(),
                context.bus(),
                redecisions(),
                new HistoryRequests.Limits(
                        engine.redecisions().runsMax(), engine.redecisions().atOnceMax()));
    }

    private RedecisionEngine redecisions() {
        var truncateBytes = context.config().runs().engine().log().inputTruncateBytes();
        return new RedecisionEngine(
                parts.execution().pieces(), parts.execution().programs(), truncateBytes);
    }

    private FlowTestService flowTests() {
        var truncateBytes = context.config().runs().engine().log().inputTruncateBytes();
        return new FlowTestService(
                context.vertx(),
                context.bus(),
                context.database(),
                FlowTestEngine.of(parts.execution().pieces(), parts.execution().programs(), truncateBytes),
                walks,
                parts.execution().services(),
                context.flowTestLimits(),
                context.security().auditLog(),
                context.clock());
    }

    private List<BusService> services() {
        var vertx = context.vertx();
        var bus = context.bus();
        var database = context.database();
        var nodeId = context.nodes().node().id();
        var shards = context.nodes().node().shards();
        var clock = context.clock();
        return List.of(
                new RunStarts(bus, database, shards, clock),
                new RunEndings(vertx, bus, database, nodeId, clock),
                new RunTakeoverService(database, nodeId, new RunIngest(context.bus(), clock)),
                new PermitClaimService(database, nodeId),
                new RunHousekeepingService(
                        database, context.config().storage().data().retentionDays(), clock),
                new RunRetentionService(
                        database, context.config().storage().data().retentionDays()),
                new RunCancellation(bus, database, shards, nodeId),
                new RunRetry(
                        vertx,
                        bus,
                        database,
                        shards,
                        nodeId,
                        context.config().storage().data().retentionDays(),
                        clock),
                replays(),
                new RehearsalService(vertx, bus, database, clock, redecisions(), walks),
                new HistoryService(database),
                new HistoryComparison(history),
                new WaitpointService(
                        vertx, bus, database, shards, nodeId, context.network().publicUrl(), requestIds, clock),
                flowTests(),
                new EditorService(bus, database, nodeId),
                new PolledRelay(bus, context.nodes().cluster(), polledClients));
    }
}
