package io.millrace.sandbox.code.pool;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;

/**
 * Idle workers, by the condition that each waits on. The worker with the most calls is woken first: it has compiled most of its
 * code, and workers that a low load does not need stay idle until they end. Guarded by its pool's lock.
 */
final class RestingWorkers {
    private final Map<Condition, Integer> callsOf = new HashMap<>();

    void add(Condition woken, int calls) {
        callsOf.put(woken, calls);
    }

    /** Removes a worker that no longer waits; does nothing if it was woken. */
    void remove(Condition woken) {
        callsOf.remove(woken);
    }

    boolean isEmpty() {
        return callsOf.isEmpty();
    }

    /** Wakes one worker, if there is one; two calls wake two different workers. */
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
