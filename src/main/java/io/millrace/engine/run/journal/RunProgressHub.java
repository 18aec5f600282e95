package io.millrace.engine.run.journal;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.Runs;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Who watches which runs of this node. A run asks before it says anything, so that what nobody watches costs one look
 * into a map that is empty most of the time. Safe for threads.
 */
public final class RunProgressHub {
    private final Bus bus;
    private final Map<String, Integer> watchers = new ConcurrentHashMap<>();

    public RunProgressHub(Bus bus) {
        this.bus = bus;
    }

    /** Hears of a run on the current context until it is closed. */
    public Watching open(String runId, Consumer<Runs.Progressed> listener) {
        var consumer = bus.on(deskOf(runId), listener);
        watchers.merge(runId, 1, Integer::sum);
        return () -> {
            watchers.computeIfPresent(runId, (_, count) -> count == 1 ? null : count - 1);
            consumer.close();
        };
    }

    /** Something to be closed once. */
    public interface Watching {
        void close();
    }

    boolean isWatched(String runId) {
        return !watchers.isEmpty() && watchers.containsKey(runId);
    }

    /** Tells everybody who watches the run. */
    void tell(Runs.Progressed progress) {
        bus.publish(deskOf(progress.run().id()), progress);
    }

    private static String deskOf(String runId) {
        return "run.progress." + runId;
    }
}
