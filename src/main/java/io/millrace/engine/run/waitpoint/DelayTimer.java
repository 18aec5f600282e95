package io.millrace.engine.run.waitpoint;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RunTimers;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.recovery.TakeoverLimits;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resumes paused runs that are due, also those of other nodes, live or dead. Sleeps until the next known due time, and
 * never longer than a round. Also finds parents that missed the failure of a child, and runs that have been paused for
 * too long.
 */
public final class DelayTimer extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(DelayTimer.class);

    private static final long ROUND_MS = 2_000;
    private static final long NO_ROOM_MS = 100;
    private static final int AT_ONCE_MAX = 64;
    private static final int ROUNDS_PER_LOOK_AROUND = 5;
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final Duration pauseMax;
    private final TakeoverLimits limits;
    private final InstantSource clock;
    private RoundTimer timer;
    private boolean busy;
    private boolean stopped;
    private Optional<Instant> addedMeanwhile = Optional.empty();
    private int rounds;

    /** @param pauseMax longest pause of a run (AP_PAUSED_FLOW_TIMEOUT_DAYS) */
    public DelayTimer(Bus bus, Duration pauseMax, TakeoverLimits limits, InstantSource clock) {
        this.bus = bus;
        this.pauseMax = pauseMax;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        timer = new RoundTimer(clockwork(vertx), System::nanoTime, this::round);
        bus.on(Waitpoints.DelayAdded.class, added -> shorten(added.resumeAt()));
        timer.ringIn(1);
        return Future.succeededFuture();
    }

    private static RunTimers.Clockwork clockwork(Vertx vertx) {
        return new RunTimers.Clockwork() {
            @Override
            public long setTimer(long delayMs, Runnable action) {
                return vertx.setTimer(delayMs, _ -> action.run());
            }

            @Override
            public void cancelTimer(long timer) {
                vertx.cancelTimer(timer);
            }
        };
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        timer.stop();
        return Future.succeededFuture();
    }

    private void shorten(Instant moment) {
        if (busy) {
            addedMeanwhile = addedMeanwhile.filter(moment::isAfter).or(() -> Optional.of(moment));
        } else {
            timer.ringWithin(msUntil(moment));
        }
    }

    private void round() {
        busy = true;
        rounds++;
        var room = Math.min(AT_ONCE_MAX, limits.room());
        completeDue(room)
                .compose(due -> lookAround().map(due))
                .onFailure(cause -> LOG.warn("cannot read due delays, retrying: {}", cause.getMessage()))
                .onComplete((due, failure) -> {
                    busy = false;
                    if (!stopped) {
                        timer.ringIn(failure == null ? delayAfter(due, room) : ROUND_MS);
                    }
                });
    }

    /** Limited to the capacity of this node: other due waitpoints may be completed by another node. */
    private Future<Pauses.DueResult> completeDue(int room) {
        return room == 0
                ? Future.succeededFuture(new Pauses.DueResult(0, Optional.empty()))
                : bus.ask(new Pauses.CompleteDue(room), DEADLINE_MS);
    }

    private long delayAfter(Pauses.DueResult due, int room) {
        var next = due.next().map(this::msUntil).orElse(ROUND_MS);
        var added = addedMeanwhile.map(this::msUntil).orElse(ROUND_MS);
        addedMeanwhile = Optional.empty();
        if (room == 0) {
            return NO_ROOM_MS;
        }
        return due.found() == room ? 1 : Math.min(next, added);
    }

    /**
     * A child that ends notifies its parent itself; notices lost in a crash are found here, and so are pauses over the
     * limit.
     */
    private Future<Void> lookAround() {
        return rounds % ROUNDS_PER_LOOK_AROUND == 1
                ? bus.ask(new Pauses.FailParents(AT_ONCE_MAX), DEADLINE_MS)
                        .compose(_ -> bus.ask(new Pauses.Expire(pauseMax, AT_ONCE_MAX), DEADLINE_MS))
                        .mapEmpty()
                : Future.succeededFuture();
    }

    /**
     * Rounded up, so that the time has passed when the timer fires; with a stopped clock the timer fires once a round.
     */
    private long msUntil(Instant moment) {
        var ms = Duration.between(clock.instant(), moment).plusNanos(999_999).toMillis();
        return Math.clamp(ms, 1, ROUND_MS);
    }
}
