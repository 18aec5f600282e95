package io.millrace.engine.run.recovery;

import io.millrace.engine.run.OwnedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits of take-overs of this node, over all its shards: the number of runs that may wait here, and at most one
 * executing suspect. Thread-safe.
 */
public final class TakeoverLimits {
    /** Number of consecutive crashes that makes a run a suspect, if it is not set aside before. */
    private static final int SUSPECTED_FROM = 2;

    private final int waitingMax;
    private final int crashesMax;
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<Runnable> suspects = new ArrayList<>();
    private final Set<String> before = ConcurrentHashMap.newKeySet();
    private volatile Duration window = SuspectTrial.FIRST.window();
    private boolean open = true;
    private boolean taken;

    /**
     * @param waitingMax number of waiting runs at which no more are claimed
     * @param crashesMax most take-overs of a run after crashes (AP_RUN_CRASH_RECOVERIES_MAX)
     */
    public TakeoverLimits(int waitingMax, int crashesMax) {
        this.waitingMax = waitingMax;
        this.crashesMax = crashesMax;
    }

    public int room() {
        return Math.max(0, waitingMax - waiting.get());
    }

    boolean isLow() {
        return waiting.get() <= waitingMax / 2;
    }

    void waits() {
        waiting.incrementAndGet();
    }

    void waitsNoMore() {
        waiting.decrementAndGet();
    }

    /** Number of crashes from which a run is taken up alone, at its last attempt at the latest. */
    int suspectedFrom() {
        return Math.min(SUSPECTED_FROM, crashesMax);
    }

    boolean isSuspect(OwnedRun run) {
        return run.crashes() >= suspectedFrom();
    }

    boolean isToBeSetAside(OwnedRun run) {
        return run.crashes() > crashesMax;
    }

    /** Returns whether reading the values of the run may end the server. */
    boolean isPastHelp(OwnedRun run) {
        return run.crashes() > crashesMax + 1;
    }

    /** Time after its take-up in which a suspect is blamed for the end of this node. */
    Duration window() {
        return window;
    }

    void windowIs(Duration period) {
        window = period;
    }

    /** No suspect is taken up until {@link #open}. */
    synchronized void close() {
        open = false;
    }

    void open() {
        Runnable next;
        synchronized (this) {
            open = true;
            next = next();
        }
        run(next);
    }

    /**
     * Requests the one permit to take a suspect up. The order is random: periodic ends of nodes do not hit the same
     * suspect each time.
     *
     * @param granted called with the permit, on any thread; {@link #passed} returns it
     */
    void takeUp(Runnable granted) {
        Runnable next;
        synchronized (this) {
            suspects.add(granted);
            next = next();
        }
        run(next);
    }

    /**
     * A run that executed during one crash, and must not execute together with a suspect: if the next server ended,
     * too, the suspect would be blamed.
     */
    void startBeforeSuspects(String runId) {
        before.add(runId);
    }

    /** Called when a run has recorded a result, has left, or its trial is over. */
    void progressed(String runId) {
        // Called for every run that ends; the set is usually empty.
        if (before.isEmpty() || !before.remove(runId)) {
            return;
        }
        Runnable next;
        synchronized (this) {
            next = next();
        }
        run(next);
    }

    void passed() {
        Runnable next;
        synchronized (this) {
            taken = false;
            next = next();
        }
        run(next);
    }

    private Runnable next() {
        if (!open || taken || !before.isEmpty() || suspects.isEmpty()) {
            return null;
        }
        taken = true;
        return suspects.remove(ThreadLocalRandom.current().nextInt(suspects.size()));
    }

    private static void run(Runnable next) {
        if (next != null) {
            next.run();
        }
    }
}
