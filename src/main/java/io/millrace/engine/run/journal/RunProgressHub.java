package io.millrace.engine.run.journal;

import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Topics;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StepProgress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Subscribers of runs, at this node and at others. A run asks before it publishes, so that a run without subscribers
 * costs one look-up in a map that is empty most of the time. Thread-safe.
 */
public final class RunProgressHub {
    /** Largest output of a step that is sent to other nodes. */
    private static final int TRAVELLING_BYTES_MAX = 1 << 18;

    private final Bus bus;
    private final Map<String, Integer> watchers = new ConcurrentHashMap<>();

    public RunProgressHub(Bus bus) {
        this.bus = bus;
    }

    /** Subscribes to a run on the current context until it is closed. */
    public Watching open(String runId, Consumer<Runs.Progressed> listener) {
        var consumer = bus.on(addressOf(runId), listener);
        var elsewhere = Topics.watch(bus, Runs.progressTopicOf(runId));
        watchers.merge(runId, 1, Integer::sum);
        return () -> {
            watchers.computeIfPresent(runId, (_, count) -> count == 1 ? null : count - 1);
            elsewhere.close();
            consumer.close();
        };
    }

    /** A subscription to be closed once. */
    public interface Watching {
        void close();
    }

    public boolean isWatched(String runId) {
        return !watchers.isEmpty() && watchers.containsKey(runId) || isWatchedElsewhere(runId);
    }

    private boolean isWatchedElsewhere(String runId) {
        var topics = bus.watchedElsewhere();
        return !topics.isEmpty() && topics.contains(Runs.progressTopicOf(runId));
    }

    void tell(Runs.Progressed progress) {
        tellHere(progress);
        var run = progress.run();
        if (isWatchedElsewhere(run.id())) {
            bus.publishElsewhere(new Runs.ProgressedElsewhere(
                    run,
                    progress.step().map(StepProgress::place).orElse(null),
                    progress.step().map(RunProgressHub::travelling).orElse(""),
                    progress.again()));
        }
    }

    /** Very large outputs are read from the run on demand. */
    private static String travelling(StepProgress step) {
        var whole = DeepJson.bytes(step.output());
        if (whole.length <= TRAVELLING_BYTES_MAX) {
            return new String(whole, StandardCharsets.UTF_8);
        }
        var without = Json.object();
        without.set("type", step.output().path("type"));
        without.set("status", step.output().path("status"));
        return Json.text(without);
    }

    /** Notifies all subscribers at this node of a run that another node executes. */
    public void toldElsewhere(Runs.ProgressedElsewhere told) {
        var step = Optional.ofNullable(told.step())
                .map(place -> new StepProgress(
                        place.number(),
                        place.name(),
                        place.levels(),
                        DeepJson.trusted(told.output().getBytes(StandardCharsets.UTF_8))));
        tellHere(new Runs.Progressed(told.run(), step, told.again()));
    }

    private void tellHere(Runs.Progressed progress) {
        bus.publish(addressOf(progress.run().id()), progress);
    }

    private static String addressOf(String runId) {
        return "run.progress." + runId;
    }
}
