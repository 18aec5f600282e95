package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flow;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.TriggerSwitch;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.trigger.TriggerSource.Timer;
import io.millrace.engine.trigger.schedule.DueTimes;
import io.millrace.engine.trigger.schedule.InvalidCronExpressionException;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.Handshake;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceLog;
import io.millrace.piece.TriggerSpec.Strategy;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches triggers on and off and keeps their sources (contract flows-and-engine 18.1 to 18.4). */
public final class TriggerService implements BusService, TriggerSwitch {
    private static final Logger LOG = LoggerFactory.getLogger(TriggerService.class);

    private static final long LOAD_DEADLINE_MS = 10_000;

    /** Exceeds the deadlines of a test in progress and of the hook that ends the simulation. */
    private static final long END_DEADLINE_MS = 600_000;

    private static final Duration REPORTED = Duration.ofDays(14);

    private final Database database;
    private final TriggerPieces pieces;
    private final TriggerHooks hooks;
    private final TriggerRules rules;
    private final InstantSource clock;
    private final TriggerSourceStore store = new TriggerSourceStore();
    private final TriggerCountStore tallies = new TriggerCountStore();
    private Bus bus;

    public TriggerService(
            Database database, TriggerPieces pieces, TriggerHooks hooks, TriggerRules rules, InstantSource clock) {
        this.database = database;
        this.pieces = pieces;
        this.hooks = hooks;
        this.rules = rules;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        this.bus = openedOn;
        bus.serve(Triggers.Look.class, this::look);
        bus.serve(Triggers.Shake.class, this::shake);
        bus.serve(Triggers.Report.class, this::report);
    }

    private Future<Triggers.Listening> look(Triggers.Look look) {
        var versions = look.flowVersionIds().stream().map(this::shaking).toList();
        return Future.all(versions)
                .compose(all -> database.read(tx -> store.findLive(tx, look.flowId(), true))
                        .map(simulation -> new Triggers.Listening(
                                all.<Optional<Triggers.Shaking>>list().stream()
                                        .flatMap(Optional::stream)
                                        .toList(),
                                simulation.isPresent())));
    }

    private Future<Optional<Triggers.Shaking>> shaking(String versionId) {
        return hookOf(versionId)
                .map(compiled -> compiled instanceof TriggerHook.OfPiece hook
                                && hook.trigger().handshake().strategy() != Handshake.Strategy.NONE
                        ? Optional.of(
                                new Triggers.Shaking(versionId, hook.trigger().handshake()))
                        : Optional.empty());
    }

    private Future<TriggerHook> hookOf(String versionId) {
        return bus.ask(new Flows.GetVersion(versionId), LOAD_DEADLINE_MS).compose(pieces::hookOf);
    }

    private Future<Optional<HttpAnswer>> shake(Triggers.Shake shake) {
        var place = HookPlace.of(shake.projectId(), shake.flowId(), shake.flowVersionId());
        return hookOf(shake.flowVersionId())
                .compose(compiled -> compiled instanceof TriggerHook.OfPiece hook
                        ? hooks.handshake(hook, place, shake.payload()).map(Optional::of)
                        : Future.succeededFuture(Optional.<HttpAnswer>empty()))
                .otherwise(cause -> {
                    LOG.warn("the handshake of flow {} failed: {}", shake.flowId(), reasonOf(cause, shake.flowId()));
                    return Optional.empty();
                });
    }

    private Future<ObjectNode> report(Triggers.Report ask) {
        var since = clock.instant().minus(REPORTED);
        return database.read(tx -> tallies.ofPlatform(tx, ask.platformId(), since))
                .map(days -> {
                    var report = Json.object();
                    var byPiece = report.putObject("pieces");
                    for (var day : days) {
                        var piece = byPiece.withObjectProperty(day.pieceName());
                        piece.withObjectProperty("dailyStats")
                                .putObject(day.day())
                                .put("success", day.success())
                                .put("failure", day.failure());
                        piece.put("totalRuns", piece.path("totalRuns").asLong() + day.success() + day.failure());
                    }
                    return report;
                });
    }

    @Override
    public Future<ActiveTrigger> enable(Turn turn) {
        return pieces.hookOf(turn.version()).compose(compiled -> switch (compiled) {
            case TriggerHook.Missing(var message) -> Future.failedFuture(refused(turn, PieceFailure.of(message)));
            case TriggerHook.OfPiece hook -> enable(turn, hook);
        });
    }

    private Future<ActiveTrigger> enable(Turn turn, TriggerHook.OfPiece hook) {
        var log = new PieceLog();
        return hooks.enable(hook, placeOf(turn), log)
                .<ActiveTrigger>map(context -> armed(turn, hook, context))
                .recover(cause -> hooks.disable(hook, placeOf(turn))
                        .otherwiseEmpty()
                        .compose(_ -> Future.failedFuture(refused(turn, cause, log))));
    }

    /** Validates the whole source, so that saving it cannot be refused afterwards. */
    private ActiveTrigger armed(Turn turn, TriggerHook.OfPiece hook, HookContext context) {
        var trigger = hook.trigger();
        var strategy = trigger.spec().strategy();
        var schedule = strategy == Strategy.POLLING ? context.schedule().orElseGet(this::usualSchedule) : null;
        var times = times(hook, schedule, turn.flow().id());
        times.ifPresent(checked -> checked.next(clock.instant()));
        return tx -> store.findLive(tx, turn.flow().id(), false)
                .compose(before -> {
                    var source = new TriggerSource(
                            Ids.next(),
                            turn.flow().projectId(),
                            turn.flow().id(),
                            turn.version().id(),
                            strategy,
                            trigger.spec().name(),
                            hook.pieceName(),
                            hook.pieceVersion(),
                            schedule,
                            false,
                            times.isEmpty() ? null : strategy == Strategy.POLLING ? Timer.POLL : Timer.RENEW,
                            times.map(due -> firstDue(due, before, schedule)).orElse(null),
                            0);
                    return store.replace(tx, source, context.listeners());
                })
                .onSuccess(_ -> bus.publish(new Triggers.Rearmed(turn.flow().id())));
    }

    /** An unchanged schedule keeps its due time: a time that passes during publication is not lost. */
    private Instant firstDue(DueTimes times, Optional<TriggerSource> before, CronSchedule schedule) {
        return before.filter(source -> schedule != null && schedule.equals(source.schedule()))
                .map(TriggerSource::nextDue)
                .orElseGet(() -> times.next(clock.instant()));
    }

    private CronSchedule usualSchedule() {
        return new CronSchedule("*/" + rules.pollMinutes() + " * * * *", "UTC");
    }

    /** Due times of a source of this trigger; empty when it only waits for events. */
    static Optional<DueTimes> times(TriggerHook.OfPiece hook, CronSchedule schedule, String flowId) {
        if (schedule != null) {
            return Optional.of(
                    hook.trigger().firesForEachInstant()
                            ? DueTimes.exactly(schedule)
                            : DueTimes.about(schedule, flowId));
        }
        return hook.trigger().spec().strategy() == Strategy.WEBHOOK
                ? hook.trigger().renewCron().map(cron -> DueTimes.about(new CronSchedule(cron, "UTC"), flowId))
                : Optional.empty();
    }

    @Override
    public Future<Void> disable(Turn turn) {
        return pieces.hookOf(turn.version()).compose(compiled -> switch (compiled) {
            case TriggerHook.Missing _ -> Future.succeededFuture();
            case TriggerHook.OfPiece hook when keepsItsState(turn, hook) -> Future.succeededFuture();
            case TriggerHook.OfPiece hook ->
                hooks.disable(hook, placeOf(turn)).recover(cause -> Future.failedFuture(refused(turn, cause)));
        });
    }

    /** A poll that continues in another version has no external registration to end and must keep its position. */
    private static boolean keepsItsState(Turn turn, TriggerHook.OfPiece hook) {
        return turn.republish() && hook.trigger().spec().strategy() == Strategy.POLLING;
    }

    @Override
    public Future<Void> endSimulation(Flow flow) {
        return endSimulation(flow.projectId(), flow.id());
    }

    @Override
    public Future<Void> endSimulations(String projectId) {
        return database.read(tx -> store.findSimulating(tx, projectId)).compose(flowIds -> {
            var done = Future.<Void>succeededFuture();
            for (var flowId : flowIds) {
                done = done.compose(_ -> endSimulation(projectId, flowId).recover(cause -> {
                    LOG.warn("cannot end the simulation of flow {}: {}", flowId, cause.getMessage());
                    return Future.succeededFuture();
                }));
            }
            return done;
        });
    }

    private Future<Void> endSimulation(String projectId, String flowId) {
        return bus.ask(new Triggers.EndTest(projectId, flowId), END_DEADLINE_MS).mapEmpty();
    }

    @Override
    public Future<Void> remove(Tx tx, String flowId) {
        return store.removeLive(tx, flowId, false);
    }

    @Override
    public Future<Map<String, JsonNode>> schedules(Tx tx, List<String> flowIds) {
        return flowIds.isEmpty()
                ? Future.succeededFuture(Map.of())
                : store.schedules(tx, flowIds).map(schedules -> {
                    var json = new HashMap<String, JsonNode>();
                    schedules.forEach((flowId, schedule) -> json.put(flowId, TriggerSource.scheduleJson(schedule)));
                    return json;
                });
    }

    private static HookPlace placeOf(Turn turn) {
        return new HookPlace(
                turn.flow().projectId(), turn.flow().id(), turn.version().id(), false, turn.republish());
    }

    private static ApiException refused(Turn turn, Throwable cause) {
        return refused(turn, cause, new PieceLog());
    }

    private static ApiException refused(Turn turn, Throwable cause, PieceLog log) {
        var reason = reasonOf(cause, turn.flow().id());
        return ApiException.of(
                ErrorCode.TRIGGER_UPDATE_STATUS,
                Json.object()
                        .put("flowId", turn.flow().id())
                        .put("flowVersionId", turn.version().id())
                        .put("standardOutput", log.standardOutput())
                        .put("standardError", log.errorsBefore(reason))
                        .put("message", reason));
    }

    /** Error message for the author of a flow; a defect is logged and not disclosed. */
    static String reasonOf(Throwable cause, String flowId) {
        return switch (cause) {
            case PieceFailure failure -> failure.getMessage();
            case PieceCrash crash -> crash.getMessage();
            case ExpressionFailure failure -> failure.getMessage();
            case InvalidCronExpressionException failure -> failure.getMessage();
            case ApiException refusal -> refusal.text();
            case TimeoutException _ -> "the trigger took too long";
            default -> {
                LOG.error("a hook of the trigger of flow {} failed", flowId, cause);
                yield "the trigger failed";
            }
        };
    }
}
