package io.millrace.sandbox.code;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;

/**
 * Workers that have nothing to do, by the condition that each waits on. The one that has made most calls is woken first: it has
 * compiled most, and those that few calls need rest until they end, however often there is one. Guarded by its pool's lock.
 */
final class RestingWorkers {
    private final Map<Condition, Integer> callsOf = new HashMap<>();

    /** A worker that has made so many calls is about to wait. */
    void add(Condition woken, int calls) {
        callsOf.put(woken, calls);
    }

    /** It does not wait any more; nothing happens when it was woken. */
    void remove(Condition woken) {
        callsOf.remove(woken);
    }

    boolean isEmpty() {
        return callsOf.isEmpty();
    }

    /** Wakes one, if there is one; two who are woken at the same time are two. */
    void wakeOne() {
        callsOf.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .ifPresent(worker -> {
                    callsOf.remove(worker);
                    worker.signal();
                });
    }

    void wakeAll() {
        callsOf.keySet().forEach(Condition::signal);
    }
}
