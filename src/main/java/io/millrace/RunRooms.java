package io.millrace;

import io.millrace.code.CodeCompiler;
import io.millrace.code.CodeRunner;
import io.millrace.code.CodeSettings;
import io.millrace.file.FileAddresses;
import io.millrace.http.HttpModule;
import io.millrace.live.Editors;
import io.millrace.live.LiveRoutes;
import io.millrace.live.PolledClients;
import io.millrace.persistence.Desk;
import io.millrace.run.LeaseTerms;
import io.millrace.run.RequestIds;
import io.millrace.run.RunAdministrationRoutes;
import io.millrace.run.RunCancellation;
import io.millrace.run.RunEndings;
import io.millrace.run.RunEntrance;
import io.millrace.run.RunEventRoutes;
import io.millrace.run.RunMemory;
import io.millrace.run.RunMetricsRoutes;
import io.millrace.run.RunOwnership;
import io.millrace.run.RunRetry;
import io.millrace.run.RunRoutes;
import io.millrace.run.RunService;
import io.millrace.run.RunSlots;
import io.millrace.run.RunStartRoutes;
import io.millrace.run.RunStarts;
import io.millrace.run.RunVerticle;
import io.millrace.run.RunWatch;
import io.millrace.run.StartKeyService;
import io.millrace.run.TakeoverLimits;
import io.millrace.run.WaitpointService;
import io.millrace.trigger.TriggerHooks;
import java.util.List;

/** Runs, from their first step to their end, and who looks on. */
final class RunRooms implements Wing {
    /** Runs that wait to be taken up here: few enough for other nodes to have theirs, and for a claim to be short. */
    private static final int TAKEOVERS_WAITING_MAX = 500;

    private final Ground ground;
    private final CodeRunner code;
    private final RunWatch watch;
    private final RunVerticle.Parts parts;
    private final Editors editors = new Editors();
    private final PolledClients polledClients = new PolledClients();
    private final RequestIds requestIds;
    private final List<Desk> desks;

    RunRooms(Ground ground, PieceRooms pieces, TriggerHooks hooks, FileAddresses addresses) {
        this.ground = ground;
        var engine = ground.config().engine();
        var codeDirectory = ground.config().data().directory().resolve("code");
        code = new CodeRunner(
                ground.vertx(),
                CodeSettings.forHost(
                        codeDirectory, engine.codeMemoryBytes(), engine.codeConcurrency(), ground.isolation()));
        watch = new RunWatch(ground.bus());
        requestIds = new RequestIds(ground.secrets().jwtSecret());
        parts = new RunVerticle.Parts(
                ground.bus(),
                ground.config(),
                ground.node().shards(),
                ground.node().id(),
                pieces.catalogue(),
                new CodeCompiler(ground.vertx(), codeDirectory, ground.isolation()),
                code,
                pieces.stepServices(),
                hooks,
                addresses,
                ground.callerUrl(),
                requestIds,
                new RunSlots(ground.clock(), (delayMs, action) -> ground.vertx().setTimer(delayMs, _ -> action.run())),
                new RunMemory(engine.memoryBytesMax()),
                watch,
                new LeaseTerms(),
                new TakeoverLimits(TAKEOVERS_WAITING_MAX, engine.crashRecoveriesMax()),
                ground.clock());
        desks = services();
    }

    /** Whose processes run code of users; closed after the last run. */
    CodeRunner code() {
        return code;
    }

    /** What the verticles of all shards share. */
    RunVerticle.Parts parts() {
        return parts;
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(
                new RunRoutes(bus),
                new RunStartRoutes(bus),
                new RunEventRoutes(bus, watch),
                new LiveRoutes(bus, watch, editors, polledClients),
                new RunAdministrationRoutes(bus),
                new RunMetricsRoutes(bus));
    }

    private List<Desk> services() {
        var vertx = ground.vertx();
        var bus = ground.bus();
        var database = ground.database();
        var nodeId = ground.node().id();
        var shards = ground.node().shards();
        var patience = ground.config().postgres().patience();
        var clock = ground.clock();
        return List.of(
                new RunService(vertx, database, nodeId, patience, clock),
                new RunEntrance(bus, database, clock),
                new StartKeyService(
                        vertx, database, nodeId, ground.config().webhooks().keysKept(), patience, clock),
                new RunStarts(bus, database, shards, clock),
                new RunEndings(vertx, bus, database, nodeId, clock),
                new RunOwnership(database, nodeId),
                new RunCancellation(bus, database, shards, nodeId),
                new RunRetry(
                        vertx,
                        bus,
                        database,
                        shards,
                        nodeId,
                        ground.config().data().retentionDays(),
                        clock),
                new WaitpointService(vertx, bus, database, shards, nodeId, ground.publicUrl(), requestIds, clock));
    }
}
