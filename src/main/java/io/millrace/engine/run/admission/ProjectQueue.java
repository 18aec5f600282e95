package io.millrace.engine.run.admission;

import io.millrace.engine.run.admission.ConcurrencyLimiter.Permit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Who waits: the projects in turn, each with its runs in the order in which they came. */
final class ProjectQueue {
    /** Of a project with so many runs in one line, more would only take room from others. */
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

    /** Whether a line that was long has become short since this was asked last. */
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

    /** The first of the project whose turn it is. */
    Permit first() {
        return byProject.values().iterator().next().getFirst();
    }

    /** The same, taken out; the project goes to the end of the line. */
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

    /** One has left the line: its turn has come, or its run has ended in it. */
    private void noteLength(Deque<Permit> waiting) {
        becameShort |= waiting.size() == CROWD / 2;
    }
}
