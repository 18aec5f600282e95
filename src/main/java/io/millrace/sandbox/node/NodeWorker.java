package io.millrace.sandbox.node;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** What the pool knows of one process. Touched on the pool's context only. */
final class NodeWorker {
    private final NodeProcess process;
    private final int attempt;
    private final Set<NodeTicket> calls = new HashSet<>();
    private final Set<Path> loaded = new HashSet<>();
    private boolean ready;
    private boolean retiring;
    private int made;
    private long idleSinceNanos = System.nanoTime();

    /**
     * A process that is being started.
     *
     * @param attempt attempts to start that had failed before this one
     */
    NodeWorker(NodeProcess process, int attempt) {
        this.process = process;
        this.attempt = attempt;
    }

    NodeProcess process() {
        return process;
    }

    int attempt() {
        return attempt;
    }

    Set<NodeTicket> calls() {
        return calls;
    }

    boolean isReady() {
        return ready;
    }

    void becameReady() {
        ready = true;
    }

    boolean isBusy() {
        return !calls.isEmpty();
    }

    boolean isRetiring() {
        return retiring;
    }

    /** Takes no more calls. */
    void retire() {
        retiring = true;
    }

    /** Whether it may take a call. Who waited for one that has ended may ask before the process has reported its end. */
    boolean hasRoom(NodeCall.Urgency urgency) {
        if (!ready || retiring || isWorn() || !process.isAlive()) {
            return false;
        }
        settle();
        return calls.size() < urgency.concurrency();
    }

    boolean hasLoaded(Path folder) {
        return loaded.contains(folder);
    }

    int loadedCount() {
        return loaded.size();
    }

    /** Hands over a call; false when the process has just ended. */
    boolean take(NodeTicket ticket) {
        if (!process.call(ticket)) {
            retiring = true;
            return false;
        }
        calls.add(ticket);
        loaded.add(ticket.call().folder());
        made++;
        return true;
    }

    /** Forgets the calls that have ended; true when nothing is left to do. */
    boolean settle() {
        if (calls.removeIf(NodeTicket::hasEnded)) {
            idleSinceNanos = System.nanoTime();
        }
        return calls.isEmpty();
    }

    /** What was left behind by calls must not add up. */
    boolean isWorn() {
        return made >= NodeSettings.CALLS_MAX || loaded.size() > NodeSettings.FOLDERS_MAX || process.isWorn();
    }

    boolean isIdleFor(long durationMs) {
        return calls.isEmpty() && System.nanoTime() - idleSinceNanos >= durationMs * 1_000_000;
    }
}
