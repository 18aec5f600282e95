package io.millrace.sandbox.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A bounded queue that serves its keys in turn, and lets each have so many pieces of work at a time. Not for several
 * threads.
 */
final class FairQueue<T> {
    /** What one key has waiting and in work. */
    private static final class KeyQueue<T> {
        final Deque<T> waiting = new ArrayDeque<>();
        int inWork;
    }

    private final int waitingMax;
    private final int waitingPerKeyMax;
    private final int inWorkPerKeyMax;
    /** In the order of their next turn. */
    private final Map<String, KeyQueue<T>> lanes = new LinkedHashMap<>();

    private int waiting;

    FairQueue(int waitingMax, int waitingPerKeyMax, int inWorkPerKeyMax) {
        this.waitingMax = waitingMax;
        this.waitingPerKeyMax = waitingPerKeyMax;
        this.inWorkPerKeyMax = inWorkPerKeyMax;
    }

    /** Adds an item; false when the queue or the key's share of it is full. */
    boolean offer(String key, T item) {
        KeyQueue<T> lane = lanes.get(key);
        if (waiting >= waitingMax || (lane != null && lane.waiting.size() >= waitingPerKeyMax)) {
            return false;
        }
        if (lane == null) {
            lane = new KeyQueue<>();
            lanes.put(key, lane);
        }
        lane.waiting.add(item);
        waiting++;
        return true;
    }

    /**
     * Takes items of the key whose turn it is; together they are one piece of work, until {@link #done}.
     *
     * @param max how many at most
     * @param alone which items do not go together with others
     */
    List<T> next(int max, Predicate<T> alone) {
        Optional<Map.Entry<String, KeyQueue<T>>> turn = lanes.entrySet().stream()
                .filter(entry -> isEligible(entry.getValue()))
                .findFirst();
        return turn.map(entry -> {
                    String key = entry.getKey();
                    KeyQueue<T> lane = entry.getValue();
                    lanes.remove(key);
                    lanes.put(key, lane);
                    lane.inWork++;
                    return taken(lane.waiting, max, alone);
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

    /** Puts items that were taken before those of their key that wait. */
    void giveBack(String key, List<T> items) {
        KeyQueue<T> lane = lanes.computeIfAbsent(key, _ -> new KeyQueue<>());
        items.reversed().forEach(lane.waiting::addFirst);
        waiting += items.size();
    }

    /** How many items wait. */
    int size() {
        return waiting;
    }

    /** A piece of work of the key has ended. */
    void done(String key) {
        lanes.get(key).inWork--;
        forgetIfEmpty(key);
    }

    /** Takes a waiting item out; false when it does not wait. */
    boolean remove(String key, T item) {
        KeyQueue<T> lane = lanes.get(key);
        if (lane == null || !lane.waiting.remove(item)) {
            return false;
        }
        waiting--;
        forgetIfEmpty(key);
        return true;
    }

    /** Takes out all that wait. */
    List<T> drain() {
        List<T> drained =
                lanes.values().stream().flatMap(lane -> lane.waiting.stream()).toList();
        lanes.values().forEach(lane -> lane.waiting.clear());
        lanes.values().removeIf(lane -> lane.inWork == 0);
        waiting = 0;
        return drained;
    }

    /** Whether {@link #next} would answer an item. */
    boolean hasNext() {
        return hasNext(_ -> true);
    }

    /** Whether an item waits for its turn that is the first of its key and is as wanted. */
    boolean hasNext(Predicate<T> wanted) {
        return waiting > 0
                && lanes.values().stream().anyMatch(lane -> isEligible(lane) && wanted.test(lane.waiting.getFirst()));
    }

    private boolean isEligible(KeyQueue<T> lane) {
        return !lane.waiting.isEmpty() && lane.inWork < inWorkPerKeyMax;
    }

    private void forgetIfEmpty(String key) {
        KeyQueue<T> lane = lanes.get(key);
        if (lane.inWork == 0 && lane.waiting.isEmpty()) {
            lanes.remove(key);
        }
    }
}
