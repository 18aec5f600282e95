package io.millrace.sandbox.node;

import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeCall.Claimant;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.sandbox.node.process.NodeProcess;
import io.millrace.sandbox.share.ProcessShares;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All processes of a pool by their use, and the share of each project. Used on the pool's context only. */
final class NodeGroups {
    /** Idle time after which a process makes room for any project. */
    private static final Duration IDLE_LONG = Duration.ofSeconds(5);

    private final Map<NodeCall.Place, NodeGroup> groups = new HashMap<>();
    private final Map<NodeProcess, NodeGroup> groupOf = new HashMap<>();

    NodeGroup at(NodeCall.Place place) {
        return groups.computeIfAbsent(place, NodeGroup::new);
    }

    void add(NodeGroup group, NodeWorker worker) {
        group.workers().add(worker);
        groupOf.put(worker.process(), group);
    }

    Optional<NodeWorker> workerOf(NodeProcess process) {
        var group = groupOf.get(process);
        return group == null
                ? Optional.empty()
                : group.workers().stream()
                        .filter(worker -> worker.process() == process)
                        .findFirst();
    }

    Optional<NodeWorker> remove(NodeProcess process) {
        var worker = workerOf(process);
        var group = groupOf.remove(process);
        worker.ifPresent(group.workers()::remove);
        return worker;
    }

    void forgetEmpty() {
        groups.values().removeIf(group -> group.workers().isEmpty());
    }

    Stream<NodeWorker> workers() {
        return groups.values().stream().flatMap(group -> group.workers().stream());
    }

    Optional<NodeWorker> workerAt(NodeTicket ticket) {
        return workers().filter(worker -> worker.calls().contains(ticket)).findFirst();
    }

    /** All processes, those that are ending included. */
    int size() {
        return groupOf.size();
    }

    int spare() {
        return (int) workers().filter(NodeWorker::isSpare).count();
    }

    int living() {
        return (int) workers()
                .filter(worker -> worker.isBusy() || !worker.isRetiring())
                .count();
    }

    ProcessShares.Busy busy() {
        var taken = workers().filter(NodeWorker::isTaken).count();
        var background = workers()
                .filter(worker -> worker.isBusyFor(ProcessShares.LONG_MS))
                .count();
        return new ProcessShares.Busy((int) taken, (int) background);
    }

    int heldBy(Claimant claimant) {
        return (int) workers().filter(worker -> worker.isTakenBy(claimant)).count();
    }

    /**
     * Idle process to end for a project that needs room: one of the project itself, one of a project with more processes, or one
     * that has been idle for long.
     */
    Optional<NodeWorker> dispensable(Claimant claimant, ProcessShares shares) {
        var held = heldBy(claimant);
        return workers()
                .filter(worker -> worker.idle()
                        .filter(idle -> worker.owner().project().equals(claimant.project())
                                || shares.mayEnd(held, keptFor(worker.owner()))
                                || idle.compareTo(IDLE_LONG) > 0)
                        .isPresent())
                .max(Comparator.comparingInt((NodeWorker worker) -> keptFor(worker.owner()))
                        .thenComparing(worker -> worker.idle().orElse(Duration.ZERO)));
    }

    private int keptFor(Claimant owner) {
        return (int) workers()
                .filter(worker -> !worker.isRetiring() && worker.owner().equals(owner))
                .count();
    }
}
