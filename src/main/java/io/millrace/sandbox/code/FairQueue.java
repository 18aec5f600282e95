package io.millrace.sandbox.code;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A bounded queue that serves its keys in turn, and lets each have so many items in work at a time. Not for several
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

    /** Takes the item whose turn it is; it is in work until {@link #done}. */
    Optional<T> next() {
        Optional<Map.Entry<String, KeyQueue<T>>> turn = lanes.entrySet().stream()
                .filter(entry -> isEligible(entry.getValue()))
                .findFirst();
        return turn.map(entry -> {
            String key = entry.getKey();
            KeyQueue<T> lane = entry.getValue();
            lanes.remove(key);
            lanes.put(key, lane);
            lane.inWork++;
            waiting--;
            return lane.waiting.remove();
        });
    }

    /** An item of the key left work. */
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
        return waiting > 0 && lanes.values().stream().anyMatch(this::isEligible);
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
