package io.millrace.base.persistence;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls for pending rows, one round at a time: again soon after a full round, and after a pause if it was not full or failed.
 * The next round finds the rows that a failed one left.
 */
public abstract class PollingVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(PollingVerticle.class);

    private final String work;
    private final long restMs;
    private final int tidyEvery;
    private long timer;
    private long rounds;
    private boolean stopped;

    /**
     * @param work the task, for the log when a round fails
     * @param restMs between two rounds
     * @param tidyEvery number of rounds between two deletions of old rows
     */
    protected PollingVerticle(String work, long restMs, int tidyEvery) {
        this.work = work;
        this.restMs = restMs;
        this.tidyEvery = tidyEvery;
    }

    /** One round; true when more waits than it took. */
    protected abstract Future<Boolean> round();

    /** Deletes obsolete rows. */
    protected abstract Future<Void> tidy();

    @Override
    public final Future<?> start() {
        rest(restMs);
        return Future.succeededFuture();
    }

    @Override
    public final Future<?> stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        return Future.succeededFuture();
    }

    private void rest(long durationMs) {
        if (!stopped) {
            timer = vertx.setTimer(durationMs, _ -> next());
        }
    }

    private void next() {
        tidied().compose(_ -> round()).onComplete((more, failure) -> {
            if (failure != null) {
                LOG.warn("{}, retrying: {}", work, failure.getMessage());
            }
            rest(failure == null && more ? 1 : restMs);
        });
    }

    /** Rows that cannot be forgotten keep no round from its work. */
    private Future<Void> tidied() {
        if (rounds++ % tidyEvery != 0) {
            return Future.succeededFuture();
        }
        return Future.<Void>succeededFuture().compose(_ -> tidy()).recover(failure -> {
            LOG.warn("{}: cannot delete expired rows, retrying: {}", work, failure.getMessage());
            return Future.succeededFuture();
        });
    }

    /**
     * Records the result of work that has had its effect: retried while the database is unavailable, so that the work is not
     * done again. The write must be idempotent.
     *
     * @param patience until the claim of the row ends
     */
    protected final <T> Future<T> recorded(Duration patience, Supplier<Future<T>> write) {
        return new OutageRetry(pauseMs -> vertx.timer(pauseMs).mapEmpty()).perform(patience, () -> stopped, write);
    }
}
