package io.millrace.sandbox.code.pool;

import io.millrace.sandbox.share.ProcessShares;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A bounded queue that serves the key with the least work first, then keys in turn, and limits the pieces of work of each key in
 * progress. Not thread-safe.
 */
final class FairQueue<T> {
    private static final class KeyQueue<T> {
        final Deque<T> waiting = new ArrayDeque<>();
        int inWork;
    }

    private final int waitingMax;
    private final int waitingPerKeyMax;
    private final int inWorkPerKeyMax;
    private final IntPredicate mayTake;

    /** Ordered by the next turn. */
    private final Map<String, KeyQueue<T>> queues = new LinkedHashMap<>();

    private int waiting;

    FairQueue(int waitingMax, int waitingPerKeyMax, int inWorkPerKeyMax) {
        this(waitingMax, waitingPerKeyMax, inWorkPerKeyMax, _ -> true);
    }

    /** @param mayTake true if a key with this number of pieces of work in progress may have more */
    FairQueue(int waitingMax, int waitingPerKeyMax, int inWorkPerKeyMax, IntPredicate mayTake) {
        this.mayTake = mayTake;
        this.waitingMax = waitingMax;
        this.waitingPerKeyMax = waitingPerKeyMax;
        this.inWorkPerKeyMax = inWorkPerKeyMax;
    }

    /**
     * Adds an item; false when the queue or the key's share of it is full. Some room always stays for keys with little
     * waiting.
     */
    boolean offer(String key, T item) {
        KeyQueue<T> queue = queues.get(key);
        int ofKey = queue == null ? 0 : queue.waiting.size();
        if (ofKey >= waitingPerKeyMax || !ProcessShares.mayWait(ofKey, waiting, waitingMax)) {
            return false;
        }
        if (queue == null) {
            queue = new KeyQueue<>();
            queues.put(key, queue);
        }
        queue.waiting.add(item);
        waiting++;
        return true;
    }

    /**
     * Takes items of the next key in turn; together they are one piece of work, until {@link #done}.
     *
     * @param max limit of items
     * @param alone matches items that do not share a piece of work with others
     */
    List<T> next(int max, Predicate<T> alone) {
        Optional<Map.Entry<String, KeyQueue<T>>> turn = queues.entrySet().stream()
                .filter(entry -> isEligible(entry.getValue()))
                .min(Comparator.comparingInt(entry -> entry.getValue().inWork));
        return turn.map(entry -> {
                    String key = entry.getKey();
                    KeyQueue<T> queue = entry.getValue();
                    queues.remove(key);
                    queues.put(key, queue);
                    queue.inWork++;
                    return taken(queue.waiting, max, alone);
                })
                .orElse(List.of());
    }

    private List<T> taken(Deque<T> items, int max, Predicate<T> alone) {
        List<T> taken = new ArrayList<>();
        taken.add(items.remove());
        while (taken.size() < max && !items.isEmpty() && !alone.test(taken.getLast()) && !alone.test(items.peek())) {
            taken.add(items.remove());
        }
        waiting -= taken.size();
        return taken;
    }

    void giveBack(String key, List<T> items) {
        KeyQueue<T> queue = queues.computeIfAbsent(key, _ -> new KeyQueue<>());
        items.reversed().forEach(queue.waiting::addFirst);
        waiting += items.size();
    }

    int size() {
        return waiting;
    }

    void done(String key) {
        queues.get(key).inWork--;
        forgetIfEmpty(key);
    }

    boolean remove(String key, T item) {
        KeyQueue<T> queue = queues.get(key);
        if (queue == null || !queue.waiting.remove(item)) {
            return false;
        }
        waiting--;
        forgetIfEmpty(key);
        return true;
    }

    List<T> drain() {
        List<T> drained = queues.values().stream()
                .flatMap(queue -> queue.waiting.stream())
                .toList();
        queues.values().forEach(queue -> queue.waiting.clear());
        queues.values().removeIf(queue -> queue.inWork == 0);
        waiting = 0;
        return drained;
    }

    boolean hasNext() {
        return hasNext(_ -> true);
    }

    boolean hasNext(Predicate<T> wanted) {
        return waiting > 0
                && queues.values().stream()
                        .anyMatch(queue -> isEligible(queue) && wanted.test(queue.waiting.getFirst()));
    }

    private boolean isEligible(KeyQueue<T> queue) {
        return !queue.waiting.isEmpty() && queue.inWork < inWorkPerKeyMax && mayTake.test(queue.inWork);
    }

    private void forgetIfEmpty(String key) {
        KeyQueue<T> queue = queues.get(key);
        if (queue.inWork == 0 && queue.waiting.isEmpty()) {
            queues.remove(key);
        }
    }
}
