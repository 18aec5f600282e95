package io.millrace.sandbox.node;

import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeCall.Claimant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Used on the pool's context only. */
final class NodeGroup {
    private final NodeCall.Place place;
    private final List<NodeWorker> workers = new ArrayList<>();

    NodeGroup(NodeCall.Place place) {
        this.place = place;
    }

    NodeCall.Place place() {
        return place;
    }

    List<NodeWorker> workers() {
        return workers;
    }

    /**
     * A process that can take the call: preferably one that has loaded its package, otherwise the one with the fewest
     * packages.
     */
    Optional<NodeWorker> workerFor(NodeCall call) {
        return workers.stream()
                .filter(worker -> worker.hasRoom(place.urgency()))
                .min(Comparator.comparing((NodeWorker worker) ->
                                !worker.hasLoaded(call.folders().own()))
                        .thenComparingInt(NodeWorker::loadedCount));
    }

    /**
     * True if enough processes are starting for all waiting calls. A process that makes several calls at a time serves every
     * project; other processes serve the project that they were started for.
     *
     * @param ofLine waiting calls of the project
     * @param ofPlace waiting calls of all projects
     */
    boolean hasEnoughStarting(Claimant claimant, int ofLine, int ofPlace) {
        var concurrency = place.urgency().concurrency();
        var starting = workers.stream()
                .filter(worker -> !worker.isReady() && !worker.isRetiring())
                .filter(worker -> concurrency > 1 || worker.isReservedFor(claimant))
                .count();
        return starting * concurrency >= (concurrency > 1 ? ofPlace : ofLine);
    }
}
