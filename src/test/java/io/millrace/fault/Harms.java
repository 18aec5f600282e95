package io.millrace.fault;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Order of the faults: every kind once in random order, then again in another order, so that kinds mix and each occurs.
 */
final class Harms {
    private final List<Harm> kinds;
    private final RandomGenerator random;
    private final Consumer<String> progress;
    private final Deque<Harm> next = new ArrayDeque<>();
    private final Map<String, Integer> struck = new TreeMap<>();

    /** @param progress receives the title of each fault */
    Harms(List<Harm> kinds, RandomGenerator random, Consumer<String> progress) {
        this.kinds = List.copyOf(kinds);
        this.random = random;
        this.progress = progress;
    }

    /** Injects the next fault into a node. */
    void strike(ServerNode node) throws InterruptedException {
        var harm = next();
        struck.merge(harm.title(), 1, Integer::sum);
        progress.accept(harm.title());
        harm.strike(node, random);
    }

    private Harm next() {
        if (next.isEmpty()) {
            shuffle();
        }
        return next.remove();
    }

    private void shuffle() {
        var left = new ArrayList<>(kinds);
        while (!left.isEmpty()) {
            next.add(left.remove(random.nextInt(left.size())));
        }
    }

    /** Counts of the injected faults, by title. */
    Map<String, Integer> struck() {
        return struck;
    }
}
