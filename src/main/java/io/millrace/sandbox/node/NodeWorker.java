package io.millrace.sandbox.node;

import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeCall.Claimant;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.sandbox.node.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Used on the pool's context only. */
final class NodeWorker {
    private final NodeProcess process;
    private final int attempt;
    private final Set<NodeTicket> calls = new HashSet<>();
    private final Set<Path> loaded = new HashSet<>();
    /** Project of the process: the one it was started for, then the one of its last call. */
    private Claimant owner;

    /** True until the process, started for its owner, takes its first call. */
    private boolean reserved = true;

    private boolean ready;
    private boolean retiring;
    private int made;
    private long busySinceNanos;
    private long idleSinceNanos = System.nanoTime();

    /**
     * A process that is being started.
     *
     * @param owner the project it is started for
     * @param attempt attempts to start that had failed before this one
     */
    NodeWorker(NodeProcess process, Claimant owner, int attempt) {
        this.process = process;
        this.owner = owner;
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

    Claimant owner() {
        return owner;
    }

    boolean isReservedFor(Claimant claimant) {
        return reserved && owner.equals(claimant);
    }

    void unreserve() {
        reserved = false;
    }

    /** True if it counts as a process in use. */
    boolean isTaken() {
        return isBusy() || (reserved && !retiring);
    }

    /** True if it counts as a process in use by the project. */
    boolean isTakenBy(Claimant claimant) {
        return isReservedFor(claimant) && !retiring
                || calls.stream().anyMatch(ticket -> ticket.call().claimant().equals(claimant));
    }

    /** True if it has had calls for at least that long. */
    boolean isBusyFor(long durationMs) {
        return isBusy() && System.nanoTime() - busySinceNanos >= TimeUnit.MILLISECONDS.toNanos(durationMs);
    }

    boolean isSpare() {
        return ready && !isTaken() && !retiring;
    }

    Optional<Duration> idle() {
        return isSpare() ? Optional.of(Duration.ofNanos(System.nanoTime() - idleSinceNanos)) : Optional.empty();
    }

    boolean isRetiring() {
        return retiring;
    }

    void retire() {
        retiring = true;
    }

    void end() {
        retire();
        process.kill();
    }

    /** True if it may take a call. A caller whose call has just ended may ask before the process has reported its end. */
    boolean hasRoom(NodeCall.Urgency urgency) {
        if (!ready || retiring || isWorn() || !process.isAlive()) {
            return false;
        }
        settle();
        return calls.size() < urgency.concurrency() && !process.isStuck();
    }

    boolean hasLoaded(Path folder) {
        return loaded.contains(folder);
    }

    int loadedCount() {
        return loaded.size();
    }

    boolean take(NodeTicket ticket) {
        if (!process.call(ticket)) {
            retiring = true;
            return false;
        }
        if (calls.isEmpty()) {
            busySinceNanos = System.nanoTime();
        }
        calls.add(ticket);
        owner = ticket.call().claimant();
        reserved = false;
        loaded.add(ticket.call().folders().own());
        made++;
        return true;
    }

    /** Removes the calls that have ended; true if none is left. */
    boolean settle() {
        if (calls.removeIf(NodeTicket::hasEnded)) {
            idleSinceNanos = System.nanoTime();
        }
        return calls.isEmpty();
    }

    /** True if earlier calls left state in the process, which must not accumulate. */
    boolean isWorn() {
        return made >= NodeSettings.CALLS_MAX || loaded.size() > NodeSettings.FOLDERS_MAX || process.isWorn();
    }
}
