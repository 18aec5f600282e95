package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.trigger.schedule.DueTimes;
import io.millrace.engine.trigger.schedule.Misfire;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes one due and claimed source: polls or renews it and saves all results in one transaction. The started runs, the
 * stored values of the trigger, the fired times and the next time commit together, so a crash at any point neither loses an
 * item nor accepts one twice.
 */
final class TriggerRound {
    private static final Logger LOG = LoggerFactory.getLogger(TriggerRound.class);

    private static final long LOAD_DEADLINE_MS = 30_000;

    private final Bus bus;
    private final TriggerPieces pieces;
    private final TriggerHooks hooks;
    private final TriggerRules rules;
    private final TriggerMeters meters;
    private final InstantSource clock;
    private final MissingTriggers missing;

    TriggerRound(TriggerVerticle.Parts parts) {
        this.bus = parts.bus();
        this.pieces = parts.pieces();
        this.hooks = parts.hooks();
        this.rules = parts.rules();
        this.meters = parts.meters();
        this.clock = parts.clock();
        this.missing = new MissingTriggers(clock);
    }

    private record Ready(FlowVersion version, TriggerHook hook) {}

    private record PollResult(List<JsonNode> items, List<StoreChange> changes) {}

    /**
     * Another operation of the flow is in progress and may take as long as a hook of its trigger: the claim is kept for a
     * while, because the source would be claimed again immediately.
     */
    static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Busy() {
            super("another operation on the flow is running", null, false, false);
        }
    }

    /** Fails when the claim could not be ended, and with {@link Busy}. */
    Future<Void> work(TriggerSource source) {
        meters.begun(source, clock.instant());
        return bus.ask(new Flows.GetVersion(source.flowVersionId()), LOAD_DEADLINE_MS)
                .compose(version -> pieces.hookOf(version).map(hook -> new Ready(version, hook)))
                .compose(
                        ready -> work(source, ready),
                        cause -> ApiException.isNotFound(cause) ? end(source, null) : Future.failedFuture(cause));
    }

    private Future<Void> work(TriggerSource source, Ready ready) {
        return switch (ready.hook()) {
            case TriggerHook.Missing(var message) -> missed(source, message);
            case TriggerHook.OfPiece hook -> {
                missing.found(source.flowVersionId());
                yield ask(new DueTriggers.FindStanding(source)).compose(standing -> switch (standing) {
                    case READY ->
                        source.timer() == TriggerSource.Timer.POLL
                                ? poll(source, ready.version(), hook)
                                : renew(source, hook);
                    case BUSY -> Future.failedFuture(new Busy());
                    case STALE, LOST -> end(source, null);
                });
            }
        };
    }

    /** Handles a missing trigger: a permanent absence disables its flow (16.6); until then the lookup is repeated. */
    private Future<Void> missed(TriggerSource source, String message) {
        var nextLook = missing.nextLook(nextPoll(source));
        if (!missing.isGone(source.flowVersionId())) {
            LOG.warn("flow {} cannot fire, retrying at {}: {}", source.flowId(), nextLook, message);
            return end(source, nextLook);
        }
        LOG.warn("disabling flow {}: {}", source.flowId(), message);
        return bus.ask(new Flows.GiveUp(source.flowId()), LOAD_DEADLINE_MS)
                .transform(done -> end(source, done.succeeded() ? null : nextLook));
    }

    private Future<Void> poll(TriggerSource source, FlowVersion version, TriggerHook.OfPiece hook) {
        var times = TriggerService.times(hook, source.schedule(), source.flowId());
        if (times.isEmpty()) {
            return end(source, null);
        }
        var policy = hook.trigger().firesForEachInstant() ? rules.misfire() : Misfire.ONCE;
        var plan = times.get().plan(source.nextDue(), clock.instant(), policy, rules.misfiresMax());
        var place = HookPlace.of(source.projectId(), source.flowId(), source.flowVersionId());
        return found(hook, place, plan.fires().size())
                .recover(cause -> ApiException.isUnavailable(cause)
                        ? Future.failedFuture(cause)
                        : Future.succeededFuture(nothingFound(source, cause)))
                .compose(found -> save(source, version, plan, found)
                        .recover(cause -> isOfTheTrigger(cause)
                                ? save(source, version, plan, nothingFound(source, cause))
                                : Future.failedFuture(cause)));
    }

    /**
     * A failed trigger starts no run at this time; its next time stays scheduled (18.9). An unavailable database is not a
     * failure of the trigger: the same time is then repeated.
     */
    private PollResult nothingFound(TriggerSource source, Throwable cause) {
        meters.failed();
        LOG.warn("the trigger of flow {} failed: {}", source.flowId(), TriggerService.reasonOf(cause, source.flowId()));
        return new PollResult(List.of(), List.of());
    }

    /** Returns true if the stored values of the trigger are invalid, so that a retry cannot succeed. */
    private static boolean isOfTheTrigger(Throwable cause) {
        return cause instanceof ApiException refused
                && (refused.code() == ErrorCode.INVALID_INPUT || refused.code() == ErrorCode.BODY_TOO_LARGE);
    }

    /** One call for each time that fires; more than one is the case of a clock that catches up. */
    private Future<PollResult> found(TriggerHook.OfPiece hook, HookPlace place, int calls) {
        var items = new ArrayList<JsonNode>();
        var changes = new ArrayList<StoreChange>();
        var done = Future.<Void>succeededFuture();
        for (var call = 0; call < calls; call++) {
            done = done.compose(_ -> hooks.poll(hook, place)).map(called -> {
                items.addAll(called.result());
                changes.addAll(called.context().changes());
                return null;
            });
        }
        return done.map(_ -> new PollResult(items, changes));
    }

    private Future<Void> save(TriggerSource source, FlowVersion version, DueTimes.Plan plan, PollResult found) {
        return ask(new DueTriggers.Fire(source, targetOf(source, version), plan, found.items(), found.changes()))
                .mapEmpty();
    }

    private static RunIntake.Target targetOf(TriggerSource source, FlowVersion version) {
        return new RunIntake.Target(source.projectId(), source.flowId(), version.id(), version.displayName());
    }

    private Future<Void> renew(TriggerSource source, TriggerHook.OfPiece hook) {
        var place = HookPlace.of(source.projectId(), source.flowId(), source.flowVersionId());
        return hooks.renew(hook, place)
                .onFailure(cause -> LOG.warn(
                        "cannot renew the registration of flow {}: {}",
                        source.flowId(),
                        TriggerService.reasonOf(cause, source.flowId())))
                .transform(_ -> end(source, later(source, hook)));
    }

    private Instant later(TriggerSource source, TriggerHook.OfPiece hook) {
        return TriggerService.times(hook, source.schedule(), source.flowId())
                .map(times -> times.next(clock.instant()))
                .orElse(null);
    }

    private Instant nextPoll(TriggerSource source) {
        return source.schedule() == null
                ? null
                : DueTimes.exactly(source.schedule()).next(clock.instant());
    }

    Future<Void> end(TriggerSource source, Instant nextDue) {
        return ask(new DueTriggers.ReleaseClaim(source, nextDue)).mapEmpty();
    }

    private <R> Future<R> ask(BusRequest<R> request) {
        return bus.ask(request, TriggerVerticle.ASK_DEADLINE_MS);
    }
}
