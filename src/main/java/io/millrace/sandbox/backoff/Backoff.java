package io.millrace.sandbox.backoff;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Waits of programs.
 *
 * <p>A program whose process had to be killed waits before its next call: not after the first kill, then by default for 250 ms,
 * then twice as long each time. A program whose calls all fail waits so that a bounded number of them begins per second, until one
 * succeeds. Other programs do not wait. Safe for threads.
 *
 * @param <P> a program of a project
 */
public final class Backoff<P> {
    private static final int DOUBLINGS_MAX = 30;

    /** Consecutive failures of a program before any wait, so that an occasional mistake has no effect. */
    private static final int FAILURES_FREE = 20;

    /** Longest wait of a call because earlier ones have failed: a higher rate of calls gets no longer waits. */
    private static final long TURN_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private static final int PROGRAMS_MAX = 10_000;
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    private final BackoffSettings settings;

    /** Ordered by the time of the last failure, the earliest first. */
    private final Map<P, Conduct> conducts = new LinkedHashMap<>();

    private static final class Conduct {
        private long lastNanos;
        private int overruns;
        private long pausedUntilNanos;
        private int failures;
        private long nextTurnNanos;
    }

    public Backoff(BackoffSettings settings) {
        this.settings = settings;
    }

    /**
     * Records that the program's process had to be killed.
     *
     * @return wait of its next call
     */
    public synchronized Duration overran(P program, long nowNanos) {
        if (settings.pauseMax().isZero()) {
            return Duration.ZERO;
        }
        var known = touched(program, nowNanos);
        known.overruns++;
        var pause = known.overruns == 1 ? 0 : pauseAfter(known.overruns);
        known.pausedUntilNanos = nowNanos + pause;
        return Duration.ofNanos(pause);
    }

    private long pauseAfter(int overruns) {
        var pause = settings.pauseMin().multipliedBy(1L << Math.min(overruns - 2, DOUBLINGS_MAX));
        return pause.compareTo(settings.pauseMax()) < 0
                ? pause.toNanos()
                : settings.pauseMax().toNanos();
    }

    public synchronized void failed(P program, long nowNanos) {
        if (isPaced()) {
            touched(program, nowNanos).failures++;
        }
    }

    public synchronized void succeeded(P program) {
        var known = conducts.get(program);
        if (known != null) {
            known.failures = 0;
            if (known.overruns == 0) {
                conducts.remove(program);
            }
        }
    }

    /** Wait of a new call; ask once per call. */
    public synchronized Duration ofNew(P program, long nowNanos) {
        var known = current(program, nowNanos);
        if (known == null) {
            return Duration.ZERO;
        }
        var turn = 0L;
        if (known.failures >= FAILURES_FREE) {
            turn = Math.max(0, known.nextTurnNanos - nowNanos);
            known.nextTurnNanos =
                    nowNanos + Math.min(turn + SECOND_NANOS / settings.failuresPerSecond(), TURN_NANOS_MAX);
        }
        return Duration.ofNanos(Math.max(turn, pausedNanos(known, nowNanos)));
    }

    public synchronized Duration ofWaiting(P program, long nowNanos) {
        var known = current(program, nowNanos);
        return known == null ? Duration.ZERO : Duration.ofNanos(pausedNanos(known, nowNanos));
    }

    public synchronized boolean isSuspected(P program, long nowNanos) {
        var known = current(program, nowNanos);
        return known != null && known.overruns > 0;
    }

    private boolean isPaced() {
        return settings.failuresPerSecond() > 0 && settings.pauseMax().isPositive();
    }

    private static long pausedNanos(Conduct known, long nowNanos) {
        return known.overruns == 0 ? 0 : Math.max(0, known.pausedUntilNanos - nowNanos);
    }

    private Conduct current(P program, long nowNanos) {
        if (conducts.isEmpty()) {
            return null;
        }
        forgetOld(nowNanos);
        return conducts.get(program);
    }

    private Conduct touched(P program, long nowNanos) {
        forgetOld(nowNanos);
        var known = conducts.remove(program);
        if (known == null) {
            known = new Conduct();
            known.nextTurnNanos = nowNanos;
        }
        known.lastNanos = nowNanos;
        conducts.put(program, known);
        if (conducts.size() > PROGRAMS_MAX) {
            conducts.remove(conducts.keySet().iterator().next());
        }
        return known;
    }

    private void forgetOld(long nowNanos) {
        var resetNanos = settings.resetAfter().toNanos();
        var oldest = conducts.values().iterator();
        while (oldest.hasNext() && nowNanos - oldest.next().lastNanos > resetNanos) {
            oldest.remove();
        }
    }
}
