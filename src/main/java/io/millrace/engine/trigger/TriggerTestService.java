package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.trigger.event.TriggerEventStore;
import io.millrace.engine.trigger.event.TriggerEvents;
import io.millrace.engine.trigger.event.TriggerEvents.TriggerEvent;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceLog;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Gets samples of triggers for editors: by their test function, or by listening for a while (18.7, 17.7). */
public final class TriggerTestService implements BusService {
    private static final long DEADLINE_MS = 10_000;
    private static final int SAMPLES_SHOWN = 10;
    private static final int SAMPLES_AT_ONCE_MAX = 50;

    private final Bus bus;
    private final Database database;
    private final TriggerPieces pieces;
    private final TriggerHooks hooks;
    private final TriggerSourceStore sources = new TriggerSourceStore();
    private final TriggerEventStore events = new TriggerEventStore();
    /** The last test of a flow: tests follow one another. Used on one event loop only. */
    private final Map<String, Future<?>> underWay = new HashMap<>();

    public TriggerTestService(Bus bus, Database database, TriggerPieces pieces, TriggerHooks hooks) {
        this.bus = bus;
        this.database = database;
        this.pieces = pieces;
        this.hooks = hooks;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Triggers.Test.class, this::test);
        bus.serve(Triggers.EndTest.class, this::endTest);
        bus.serve(Triggers.Sample.class, this::sample);
    }

    private Future<Page<TriggerEvent>> test(Triggers.Test test) {
        return afterOthers(
                test.flowId(),
                () -> version(test.projectId(), test.flowId(), test.flowVersionId())
                        .compose(version -> (switch (test.strategy()) {
                                    case TEST_FUNCTION -> callTest(test, version);
                                    case SIMULATION -> toggle(test, version);
                                })
                                .compose(_ -> newest(test.projectId(), test.flowId(), version))));
    }

    private Future<Nothing> endTest(Triggers.EndTest end) {
        return afterOthers(
                end.flowId(),
                () -> bus.ask(new Flows.ProjectOf(end.flowId()), DEADLINE_MS).compose(projectId -> {
                    if (!projectId.equals(end.projectId())) {
                        throw ApiException.notFound("flow", end.flowId());
                    }
                    return database.read(tx -> sources.findLive(tx, end.flowId(), true))
                            .compose(found -> found.map(this::endSimulation).orElse(Future.succeededFuture()))
                            .map(Nothing.DONE);
                }));
    }

    /** Serializes the tests of a flow: a test may continue after its caller has disconnected. */
    private <T> Future<T> afterOthers(String flowId, Supplier<Future<T>> work) {
        var before = underWay.getOrDefault(flowId, Future.succeededFuture());
        var done = before.transform(_ -> work.get());
        underWay.put(flowId, done);
        done.onComplete(_ -> underWay.remove(flowId, done));
        return done;
    }

    private Future<FlowVersion> version(String projectId, String flowId, String versionId) {
        return bus.ask(new Flows.ProjectOf(flowId), DEADLINE_MS)
                .compose(owner -> owner.equals(projectId)
                        ? bus.ask(new Flows.GetVersion(versionId), DEADLINE_MS)
                        : Future.failedFuture(ApiException.notFound("flow", flowId)))
                .map(version -> {
                    if (!version.flowId().equals(flowId)) {
                        throw ApiException.notFound("flow_version", versionId);
                    }
                    return version;
                });
    }

    private Future<Void> callTest(Triggers.Test test, FlowVersion version) {
        var log = new PieceLog();
        return hookOf(test, version)
                .compose(hook -> database.read(tx -> events.deleteOfFlow(tx, test.flowId()))
                        .compose(_ -> hooks.test(hook, placeOf(test), log))
                        .recover(cause -> Future.failedFuture(refused(cause, test, log)))
                        .compose(items -> keep(test.projectId(), version, items)));
    }

    private Future<TriggerHook.OfPiece> hookOf(Triggers.Test test, FlowVersion version) {
        return pieces.hookOf(version).compose(compiled -> switch (compiled) {
            case TriggerHook.Missing(var message) ->
                Future.failedFuture(refused(PieceFailure.of(message), test, new PieceLog()));
            case TriggerHook.OfPiece hook -> Future.succeededFuture(hook);
        });
    }

    private static HookPlace placeOf(Triggers.Test test) {
        return HookPlace.of(test.projectId(), test.flowId(), test.flowVersionId())
                .forTest();
    }

    private Future<Void> toggle(Triggers.Test test, FlowVersion version) {
        return database.read(tx -> sources.findLive(tx, test.flowId(), true))
                .compose(found -> found.map(this::endSimulation).orElseGet(() -> simulate(test, version)));
    }

    private Future<Void> simulate(Triggers.Test test, FlowVersion version) {
        var log = new PieceLog();
        return hookOf(test, version)
                .compose(hook -> hooks.enable(hook, placeOf(test), log)
                        .recover(cause -> Future.failedFuture(refused(cause, test, log)))
                        .compose(context ->
                                database.recordingEffect(tx -> save(tx, simulation(test, hook), context.listeners())))
                        .recover(cause -> hooks.disable(hook, placeOf(test))
                                .otherwiseEmpty()
                                .compose(_ -> Future.failedFuture(cause)))
                        .onSuccess(_ -> bus.publish(new Flows.Changed(test.flowId()))));
    }

    /** Fails if the flow was deleted during the hook: its removal has not seen the simulation. */
    private Future<Void> save(Tx tx, TriggerSource source, List<HookContext.Listening> listeners) {
        return sources.lockExisting(tx, source.flowId())
                .compose(exists -> exists
                        ? sources.replace(tx, source, listeners)
                        : Future.failedFuture(ApiException.notFound("flow", source.flowId())));
    }

    private static TriggerSource simulation(Triggers.Test test, TriggerHook.OfPiece hook) {
        return new TriggerSource(
                Ids.next(),
                test.projectId(),
                test.flowId(),
                test.flowVersionId(),
                hook.trigger().spec().strategy(),
                hook.trigger().spec().name(),
                hook.pieceName(),
                hook.pieceVersion(),
                null,
                true,
                null,
                null,
                0);
    }

    private Future<Void> endSimulation(TriggerSource source) {
        return bus.ask(new Flows.GetVersion(source.flowVersionId()), DEADLINE_MS)
                .compose(pieces::hookOf)
                .compose(compiled -> compiled instanceof TriggerHook.OfPiece hook
                        ? hooks.disable(
                                hook,
                                HookPlace.of(source.projectId(), source.flowId(), source.flowVersionId())
                                        .forTest())
                        : Future.<Void>succeededFuture())
                .recover(cause ->
                        ApiException.isUnavailable(cause) ? Future.failedFuture(cause) : Future.<Void>succeededFuture())
                .compose(_ -> database.recordingEffect(tx -> sources.removeLive(tx, source.flowId(), true)))
                .onSuccess(_ -> bus.publish(new Flows.Changed(source.flowId())));
    }

    /** A failed trigger makes no sample; the request with the payload is not affected. */
    private Future<Nothing> sample(Triggers.Sample sample) {
        return version(sample.projectId(), sample.flowId(), sample.flowVersionId())
                .compose(version -> pieces.hookOf(version)
                        .compose(hook -> hooks.run(
                                hook,
                                HookPlace.of(sample.projectId(), sample.flowId(), version.id())
                                        .forTest(),
                                sample.payload(),
                                new PieceLog()))
                        .otherwise(List.of())
                        .compose(items -> keep(sample.projectId(), version, items)))
                .map(Nothing.DONE);
    }

    private Future<Void> keep(String projectId, FlowVersion version, List<JsonNode> items) {
        var sourceName = sourceName(version);
        var kept = Future.<Void>succeededFuture();
        for (var item : items.subList(0, Math.min(items.size(), SAMPLES_AT_ONCE_MAX))) {
            kept = kept.compose(
                    _ -> bus.ask(new TriggerEvents.Save(projectId, version.flowId(), sourceName, item), DEADLINE_MS)
                            .mapEmpty());
        }
        return kept;
    }

    private static String sourceName(FlowVersion version) {
        return version.steps().trigger() instanceof PieceTriggerStep trigger ? trigger.sourceName() : "";
    }

    private Future<Page<TriggerEvent>> newest(String projectId, String flowId, FlowVersion version) {
        var find = new TriggerEvents.FindOf(
                projectId,
                flowId,
                sourceName(version),
                PageRequest.parse(SAMPLES_SHOWN, null).orElseThrow());
        return bus.ask(find, DEADLINE_MS);
    }

    private static ApiException refused(Throwable cause, Triggers.Test test, PieceLog log) {
        var reason = TriggerService.reasonOf(cause, test.flowId());
        return ApiException.of(
                ErrorCode.TEST_TRIGGER_FAILED,
                Json.object()
                        .put("standardOutput", log.standardOutput())
                        .put("standardError", log.errorsBefore(reason))
                        .put("message", reason));
    }
}
