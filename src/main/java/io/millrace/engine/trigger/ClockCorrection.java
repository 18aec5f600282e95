package io.millrace.engine.trigger;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.engine.trigger.schedule.DueTimes;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reschedules sources whose due time was computed by a clock that ran fast: they would stay silent until that time. Checks all
 * waiting sources at the start, after the clock was set back, and on request. Not thread-safe: lives on one event loop.
 */
final class ClockCorrection {
    private static final Logger LOG = LoggerFactory.getLogger(ClockCorrection.class);

    /**
     * Smallest step back that starts a check: the shortest period of a schedule. Smaller steps are routine clock adjustments
     * and delay no schedule by more than one period.
     */
    private static final Duration BACK_MIN = Duration.ofMinutes(1);

    private static final long LOAD_DEADLINE_MS = 30_000;
    private static final int AT_ONCE = 500;

    private final Bus bus;
    private final TriggerPieces pieces;
    private final InstantSource clock;
    private Instant latest;
    private boolean wanted = true;
    private boolean underWay;

    ClockCorrection(Bus bus, TriggerPieces pieces, InstantSource clock) {
        this.bus = bus;
        this.pieces = pieces;
        this.clock = clock;
        this.latest = clock.instant();
    }

    /** Requests a check of all sources, independent of this node's clock: that of another node may have run fast. */
    void want() {
        wanted = true;
    }

    /** Detects a clock that was set back, and checks the sources if required; must be called often. */
    void look() {
        var now = clock.instant();
        if (now.isBefore(latest.minus(BACK_MIN))) {
            LOG.warn("the clock was set back from {} to {}: recomputing due times", latest, now);
            latest = now;
            wanted = true;
        } else if (now.isAfter(latest)) {
            latest = now;
        }
        if (wanted && !underWay) {
            wanted = false;
            underWay = true;
            correctAll("")
                    .onFailure(cause -> {
                        LOG.warn("cannot recompute due times, retrying: {}", cause.getMessage());
                        wanted = true;
                    })
                    .onComplete(_ -> underWay = false);
        }
    }

    private Future<Void> correctAll(String after) {
        return bus.ask(new DueTriggers.FindWaiting(after, AT_ONCE), TriggerVerticle.ASK_DEADLINE_MS)
                .compose(waiting -> each(waiting)
                        .compose(_ -> waiting.size() < AT_ONCE
                                ? Future.succeededFuture()
                                : correctAll(waiting.getLast().id())));
    }

    private Future<Void> each(List<TriggerSource> waiting) {
        var done = Future.<Void>succeededFuture();
        for (var source : waiting) {
            if (mayBeTooLate(source)) {
                done = done.compose(_ -> correct(source));
            }
        }
        return done;
    }

    /** Decides by the row alone, so that few flows have to be read; only the piece knows the times of a renewal. */
    private boolean mayBeTooLate(TriggerSource source) {
        return source.schedule() == null || DueTimes.isBeyondNext(source.nextDue(), source.schedule(), clock.instant());
    }

    /** A failure does not prevent the correction of the others, unless the database is unavailable. */
    private Future<Void> correct(TriggerSource source) {
        return bus.ask(new Flows.GetVersion(source.flowVersionId()), LOAD_DEADLINE_MS)
                .compose(pieces::hookOf)
                .compose(hook -> hook instanceof TriggerHook.OfPiece ofPiece
                        ? correct(source, ofPiece)
                        : Future.succeededFuture())
                .recover(cause -> {
                    if (ApiException.isUnavailable(cause)) {
                        return Future.failedFuture(cause);
                    }
                    LOG.warn(
                            "flow {} keeps its due time: {}",
                            source.flowId(),
                            TriggerService.reasonOf(cause, source.flowId()));
                    return Future.succeededFuture();
                });
    }

    private Future<Void> correct(TriggerSource source, TriggerHook.OfPiece hook) {
        return TriggerService.times(hook, source.schedule(), source.flowId())
                .map(times -> correct(source, times))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> correct(TriggerSource source, DueTimes times) {
        var next = times.next(clock.instant());
        return next == null || !next.isBefore(source.nextDue())
                ? Future.succeededFuture()
                : bus.ask(
                                new DueTriggers.BringNearer(source, next, times.isOfEveryHour()),
                                TriggerVerticle.ASK_DEADLINE_MS)
                        .mapEmpty();
    }
}
