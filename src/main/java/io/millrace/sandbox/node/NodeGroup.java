package io.millrace.sandbox.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The processes of one group and urgency, and the calls that wait for them. Touched on the pool's context only. */
final class NodeGroup {
    private final NodeCall.Urgency urgency;
    private final Deque<NodeTicket> waiting = new ArrayDeque<>();
    private final Set<NodeTicket> held = new LinkedHashSet<>();
    private final List<NodeWorker> workers = new ArrayList<>();

    NodeGroup(NodeCall.Urgency urgency) {
        this.urgency = urgency;
    }

    Deque<NodeTicket> waiting() {
        return waiting;
    }

    /** Calls that may not be in the line yet. */
    Set<NodeTicket> held() {
        return held;
    }

    /** Takes out all that wait, held ones too. */
    List<NodeTicket> drain() {
        var drained = new ArrayList<>(waiting);
        drained.addAll(held);
        waiting.clear();
        held.clear();
        return drained;
    }

    List<NodeWorker> workers() {
        return workers;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && held.isEmpty() && workers.isEmpty();
    }

    /** A process that can take the call: one that has loaded its package, else the one that has loaded least. */
    Optional<NodeWorker> workerFor(NodeCall call) {
        return workers.stream()
                .filter(worker -> worker.hasRoom(urgency))
                .min(Comparator.comparing((NodeWorker worker) -> !worker.hasLoaded(call.folder()))
                        .thenComparingInt(NodeWorker::loadedCount));
    }

    /** Whether a process is about to become ready for each call that waits. */
    boolean hasEnoughStarting() {
        var starting = workers.stream()
                .filter(worker -> !worker.isReady() && !worker.isRetiring())
                .count();
        return starting * urgency.concurrency() >= waiting.size();
    }
}
