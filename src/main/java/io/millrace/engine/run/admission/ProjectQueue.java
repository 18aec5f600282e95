package io.millrace.engine.run.admission;

import io.millrace.engine.run.admission.ConcurrencyLimiter.Permit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Queue of waiting runs: the projects in turn, each with its runs in order of arrival. */
final class ProjectQueue {
    /** Number of queued runs of a project above which no more are taken up, because they would displace others. */
    private static final int CROWD = 1_000;

    private Map<String, Deque<Permit>> byProject = Map.of();
    private boolean becameShort;

    void addCrowded(Set<String> crowded) {
        byProject.forEach((project, waiting) -> {
            if (waiting.size() >= CROWD) {
                crowded.add(project);
            }
        });
    }

    boolean takeBecameShort() {
        var became = becameShort;
        becameShort = false;
        return became;
    }

    boolean hasAny() {
        return !byProject.isEmpty();
    }

    int size() {
        return byProject.values().stream().mapToInt(Deque::size).sum();
    }

    void add(Permit permit) {
        if (byProject.isEmpty()) {
            byProject = new LinkedHashMap<>();
        }
        byProject
                .computeIfAbsent(permit.request.projectId(), _ -> new ArrayDeque<>())
                .addLast(permit);
    }

    void remove(Permit permit) {
        byProject.computeIfPresent(permit.request.projectId(), (_, waiting) -> {
            waiting.remove(permit);
            noteLength(waiting);
            return waiting.isEmpty() ? null : waiting;
        });
    }

    Permit first() {
        return byProject.values().iterator().next().getFirst();
    }

    /** Removes and returns the next run; its project moves to the end of the queue. */
    Permit next() {
        var turn = byProject.entrySet().iterator().next();
        var permit = turn.getValue().removeFirst();
        noteLength(turn.getValue());
        byProject.remove(turn.getKey());
        if (!turn.getValue().isEmpty()) {
            byProject.put(turn.getKey(), turn.getValue());
        }
        return permit;
    }

    /** A run has left the queue: it is next, or has ended while it waited. */
    private void noteLength(Deque<Permit> waiting) {
        becameShort |= waiting.size() == CROWD / 2;
    }
}
