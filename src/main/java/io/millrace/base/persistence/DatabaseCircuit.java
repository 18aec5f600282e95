package io.millrace.base.persistence;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Circuit breaker of the database (decision 0101). One failed statement only triggers a probe; so does 1 s without an
 * answer while statements are pending. A failed probe opens the circuit: pending work fails, and callers are refused at
 * once. The first probe that succeeds closes it.
 *
 * <p>Thread-safe: verticles on all event loops use the same database.
 */
final class DatabaseCircuit {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseCircuit.class);

    private enum State {
        CLOSED,
        SUSPECTED,
        OPEN,
        STOPPED
    }

    /**
     * Durations of the circuit.
     *
     * @param pause between two probes while the database does not answer
     * @param silence without any answer after which a probe is sent
     */
    record Times(Duration pause, Duration silence) {}

    /** Pending work, and the context on which its caller is answered. */
    private record Work<T>(Promise<T> promise, Context asker, WorkEffect effect) {
        void fail() {
            var failure = effect.abandon() ? DatabaseFailure.away() : DatabaseFailure.unknown();
            if (asker == null) {
                promise.tryFail(failure);
            } else {
                asker.runOnContext(_ -> promise.tryFail(failure));
            }
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private final Vertx vertx;
    private final Supplier<Future<?>> probe;
    private final Times times;
    private final AtomicReference<State> state = new AtomicReference<>(State.CLOSED);
    private final Set<Work<?>> underWay = ConcurrentHashMap.newKeySet();
    private final long timer;

    /** Time of the database's last answer, or of the first request after it; by System.nanoTime. */
    private volatile long quietSince = System.nanoTime();

    /**
     * Starts closed: the database counts as available.
     *
     * @param probe succeeds when the database answers on a new connection; fails in bounded time
     */
    DatabaseCircuit(Vertx vertx, Supplier<Future<?>> probe, Times times) {
        this.vertx = vertx;
        this.probe = probe;
        this.times = times;
        this.timer = vertx.setPeriodic(Math.max(1, times.silence().toMillis() / 2), _ -> suspectSilence());
    }

    boolean isOpen() {
        return state.get() == State.OPEN;
    }

    /**
     * Time for which the database has been unavailable: since its last answer, once a probe has waited without an answer for as long as
     * the silence before it; 0 while it answers.
     */
    long unavailableMs() {
        return switch (state.get()) {
            case CLOSED, STOPPED -> 0;
            case OPEN -> silenceMs();
            case SUSPECTED -> {
                var silenceMs = underWay.isEmpty() ? 0 : silenceMs();
                yield silenceMs < 2 * times.silence().toMillis() ? 0 : silenceMs;
            }
        };
    }

    private long silenceMs() {
        return Duration.ofNanos(System.nanoTime() - quietSince).toMillis();
    }

    /**
     * Performs work unless the circuit is open, and abandons it when the circuit opens meanwhile: with UNAVAILABLE while it
     * has sent no statement that changes data, with OUTCOME_UNKNOWN afterwards.
     *
     * @param effect state of the work; work that is abandoned in time has no later effect
     */
    <T> Future<T> guard(WorkEffect effect, Supplier<Future<T>> asked) {
        if (isOpen()) {
            return Future.failedFuture(DatabaseFailure.away());
        }
        var work = new Work<T>(Promise.promise(), Vertx.currentContext(), effect);
        if (underWay.isEmpty()) {
            quietSince = System.nanoTime();
        }
        underWay.add(work);
        asked.get().onComplete((value, failure) -> {
            underWay.remove(work);
            if (failure == null) {
                answered();
                work.promise().tryComplete(value);
            } else {
                work.promise().tryFail(failure);
            }
        });
        return work.promise().future();
    }

    /** The database has just answered something, be it with a refusal. */
    void answered() {
        quietSince = System.nanoTime();
    }

    void suspect() {
        if (state.compareAndSet(State.CLOSED, State.SUSPECTED)) {
            look();
        }
    }

    void stop() {
        state.set(State.STOPPED);
        vertx.cancelTimer(timer);
    }

    /** Answers the callers of work that no connection will perform any longer, as all are closed. */
    void abandon() {
        underWay.forEach(Work::fail);
    }

    private void suspectSilence() {
        if (!underWay.isEmpty()
                && System.nanoTime() - quietSince > times.silence().toNanos()) {
            suspect();
        }
    }

    private void look() {
        var _ = probe.get().onSuccess(_ -> reached()).onFailure(this::failed);
    }

    private void reached() {
        answered();
        if (state.compareAndSet(State.OPEN, State.CLOSED)) {
            LOG.info("the database is available again");
        }
        state.compareAndSet(State.SUSPECTED, State.CLOSED);
    }

    private void failed(Throwable failure) {
        if (state.compareAndSet(State.SUSPECTED, State.OPEN)) {
            LOG.warn("the database is unavailable: {}", failure.toString());
            underWay.forEach(Work::fail);
        }
        if (isOpen()) {
            var _ = vertx.timer(times.pause().toMillis()).onSuccess(_ -> look());
        }
    }
}
