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
 * How much this node takes up of what it did not start just now, over all its shards: so many runs may wait here, and
 * of those that may be what ends servers only one is at work. Safe for threads.
 */
public final class TakeoverLimits {
    /** So many crashes in a row make a run a suspect, if it is not set aside before. */
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
     * @param waitingMax how many runs may wait here before no more are claimed
     * @param crashesMax how often a run is taken up after a crash (AP_RUN_CRASH_RECOVERIES_MAX)
     */
    public TakeoverLimits(int waitingMax, int crashesMax) {
        this.waitingMax = waitingMax;
        this.crashesMax = crashesMax;
    }

    /** How many more may be claimed. */
    public int room() {
        return Math.max(0, waitingMax - waiting.get());
    }

    /** Whether so few wait that it is time for more. */
    boolean isLow() {
        return waiting.get() <= waitingMax / 2;
    }

    void waits() {
        waiting.incrementAndGet();
    }

    void waitsNoMore() {
        waiting.decrementAndGet();
    }

    /** From so many crashes on a run is taken up alone, at its last chance at the latest. */
    int suspectedFrom() {
        return Math.min(SUSPECTED_FROM, crashesMax);
    }

    boolean isSuspect(OwnedRun run) {
        return run.crashes() >= suspectedFrom();
    }

    /** Whether the run has been taken up often enough. */
    boolean isToBeSetAside(OwnedRun run) {
        return run.crashes() > crashesMax;
    }

    /** Whether not even its values can be read without ending the server. */
    boolean isPastHelp(OwnedRun run) {
        return run.crashes() > crashesMax + 1;
    }

    /** How long the end of this node is blamed on a suspect that has been taken up. */
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
     * Asks for the one permit to take a suspect up. The order is random: ends of nodes that follow a period of their own do
     * not meet the same suspect each time.
     *
     * @param granted called as soon as it is given, on any thread; {@link #passed} gives it back
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
     * A run that one server ended under, and that no suspect may be at work beside: should the next server end, too, the
     * suspect would be blamed.
     */
    void comesBeforeSuspects(String runId) {
        before.add(runId);
    }

    /** Such a run has got on, is gone, or has had its time. */
    void gotOn(String runId) {
        // Asked for every run that ends, and mostly there is none.
        if (before.isEmpty() || !before.remove(runId)) {
            return;
        }
        Runnable next;
        synchronized (this) {
            next = next();
        }
        run(next);
    }

    /** The suspect has got on, or is gone. */
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
