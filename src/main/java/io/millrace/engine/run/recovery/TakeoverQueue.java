package io.millrace.engine.run.recovery;

import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.StartListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The runs of one shard that are to be taken up, by their ids: those that wait, and those on their way to an actor. Of
 * several ownerships of a run only the last counts. Not thread-safe: confined to its shard's event loop.
 */
final class TakeoverQueue {
    private final TakeoverLimits limits;
    private final Map<String, Entry> all = new HashMap<>();
    private final Map<String, Entry> urgent = new LinkedHashMap<>();
    private final Map<String, Entry> others = new LinkedHashMap<>();

    TakeoverQueue(TakeoverLimits limits) {
        this.limits = limits;
    }

    /** One take-over of a run, with its waiting caller. Compared by identity. */
    static final class Entry {
        private final OwnedRun run;
        private final StartListener waiter;

        private Entry(OwnedRun run, StartListener waiter) {
            this.run = run;
            this.waiter = waiter;
        }

        OwnedRun run() {
            return run;
        }

        StartListener waiter() {
            return waiter;
        }

        String runId() {
            return run.runId();
        }
    }

    boolean has(String runId) {
        return all.containsKey(runId);
    }

    boolean isCurrent(Entry entry) {
        return all.get(entry.runId()) == entry;
    }

    boolean hasWaiting() {
        return !urgent.isEmpty() || !others.isEmpty();
    }

    /** Registers the run; returns the entry to be taken up, or null when a later ownership is registered. */
    Entry add(OwnedRun run, StartListener waiter) {
        var before = all.get(run.runId());
        if (before != null && before.run().fence() > run.fence()) {
            return null;
        }
        var entry = new Entry(run, before == null ? waiter : before.waiter().and(waiter));
        if (before == null) {
            limits.waits();
        } else {
            unqueue(before);
        }
        all.put(run.runId(), entry);
        return entry;
    }

    void queue(Entry entry) {
        (entry.waiter().wantsAnswer() ? urgent : others).put(entry.runId(), entry);
    }

    List<Entry> take(int max) {
        var taken = new ArrayList<Entry>();
        take(urgent, max, taken);
        take(others, max, taken);
        return taken;
    }

    private static void take(Map<String, Entry> line, int max, List<Entry> taken) {
        var entries = line.values().iterator();
        while (taken.size() < max && entries.hasNext()) {
            taken.add(entries.next());
            entries.remove();
        }
    }

    void putBack(List<Entry> entries) {
        var rest = new ArrayList<>(urgent.values());
        rest.addAll(others.values());
        urgent.clear();
        others.clear();
        entries.stream().filter(this::isCurrent).forEach(this::queue);
        rest.forEach(this::queue);
    }

    /** Removes a run that has been taken up, or must not be. */
    void remove(Entry entry) {
        if (all.remove(entry.runId(), entry)) {
            unqueue(entry);
            limits.waitsNoMore();
        }
    }

    private void unqueue(Entry entry) {
        urgent.remove(entry.runId(), entry);
        others.remove(entry.runId(), entry);
    }
}
