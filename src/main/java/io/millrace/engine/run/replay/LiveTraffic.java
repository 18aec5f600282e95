package io.millrace.engine.run.replay;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.Runs;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Pace of work on history beside live runs. While runs end on this node, the work is done in small portions with pauses: a live
 * run waits for one portion at most, and nothing slows the work of an idle server.
 */
final class LiveTraffic implements AutoCloseable {
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int PORTION_RUNS = 25;

    /** Pause for each unit of time of a portion: a busy machine makes portions longer, and so pauses. */
    private static final int PAUSE_FACTOR = 3;

    private static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

    private final Bus.OpenEndpoint ends;
    private volatile long lastEnd = System.nanoTime() - RECENT_NANOS;
    private volatile long portionBegan = System.nanoTime();

    LiveTraffic(Bus bus) {
        ends = bus.on(Runs.Ended.class, _ -> lastEnd = System.nanoTime());
    }

    boolean isRecent() {
        return System.nanoTime() - lastEnd < RECENT_NANOS;
    }

    /**
     * Pauses after each portion; for worker threads.
     *
     * @param done number of runs of the work so far
     */
    void pauseAfter(int done) {
        if (done % PORTION_RUNS == 0) {
            if (isRecent()) {
                var elapsed = System.nanoTime() - portionBegan;
                LockSupport.parkNanos(pauseNanos(elapsed));
            }
            portionBegan = System.nanoTime();
        }
    }

    static long pauseNanos(long portionNanos) {
        return Math.min(PAUSE_NANOS_MAX, PAUSE_FACTOR * portionNanos);
    }

    @Override
    public void close() {
        ends.close();
    }
}
