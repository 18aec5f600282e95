package io.millrace.node;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** What the pool knows of one process. Touched on the pool's context only. */
final class NodeWorker {
    private final NodeProcess process;
    private final Set<NodeTicket> calls = new HashSet<>();
    private final Set<Path> loaded = new HashSet<>();
    private boolean ready;
    private boolean retiring;
    private int made;
    private long idleSinceNanos = System.nanoTime();

    NodeWorker(NodeProcess process) {
        this.process = process;
    }

    NodeProcess process() {
        return process;
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

    boolean hasRoom(NodeCall.Lane lane) {
        return ready && !retiring && calls.size() < lane.concurrency() && process.isAlive();
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
        calls.removeIf(NodeTicket::hasEnded);
        if (calls.isEmpty()) {
            idleSinceNanos = System.nanoTime();
        }
        return calls.isEmpty();
    }

    /** What was left behind by calls must not add up. */
    boolean isWorn() {
        return made >= NodeSettings.CALLS_MAX || loaded.size() > NodeSettings.FOLDERS_MAX || process.isTainted();
    }

    boolean isIdleFor(long durationMs) {
        return calls.isEmpty() && System.nanoTime() - idleSinceNanos >= durationMs * 1_000_000;
    }
}
