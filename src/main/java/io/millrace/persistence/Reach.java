package io.millrace.persistence;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the database can be reached: a circuit that opens when a knock at its door fails, and closes with the first
 * one that succeeds (decision 0064). One failed statement proves nothing, it only makes this class knock. While the circuit
 * is open callers are refused at once, instead of each waiting for a connection that does not come.
 */
final class Reach {
    private static final Logger LOG = LoggerFactory.getLogger(Reach.class);

    private enum State {
        REACHED,
        DOUBTED,
        AWAY,
        CLOSED
    }

    private final Vertx vertx;
    private final Supplier<Future<?>> knock;
    private final Duration pause;
    private final AtomicReference<State> state = new AtomicReference<>(State.REACHED);

    /**
     * Begins with a database that is there.
     *
     * @param knock succeeds when the database answers on a connection of its own; fails in bounded time
     * @param pause between two knocks while nobody answers
     */
    Reach(Vertx vertx, Supplier<Future<?>> knock, Duration pause) {
        this.vertx = vertx;
        this.knock = knock;
        this.pause = pause;
    }

    boolean isAway() {
        return state.get() == State.AWAY;
    }

    /** Something failed as it does when the database is away. */
    void doubt() {
        if (state.compareAndSet(State.REACHED, State.DOUBTED)) {
            look();
        }
    }

    /** Ends the knocking for good. */
    void close() {
        state.set(State.CLOSED);
    }

    private void look() {
        var _ = knock.get().onSuccess(_ -> reached()).onFailure(this::away);
    }

    private void reached() {
        if (state.compareAndSet(State.AWAY, State.REACHED)) {
            LOG.info("the database is back");
        }
        state.compareAndSet(State.DOUBTED, State.REACHED);
    }

    private void away(Throwable failure) {
        if (state.compareAndSet(State.DOUBTED, State.AWAY)) {
            LOG.warn("the database is away: {}", failure.toString());
        }
        if (isAway()) {
            var _ = vertx.timer(pause.toMillis()).onSuccess(_ -> look());
        }
    }
}
