package io.millrace.engine.run.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.actor.RunView;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.log.RunLog;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A run, its log when it has ended or paused, and its recorded results while it lives.
 *
 * <p>The log of an ended run is text already: it is copied into the answer unparsed, because a tree of it would take
 * ten times as much.
 *
 * @param pause its last pause
 * @param soFar intermediate output for the waiting step
 */
record RecordedRun(
        ObjectNode run,
        Optional<Buffer> log,
        Optional<StoredRun> live,
        Optional<LiveRunStore.LastPause> pause,
        Optional<JsonNode> soFar) {
    static RecordedRun ended(ObjectNode run, Optional<Buffer> log) {
        return new RecordedRun(run, log, Optional.empty(), Optional.empty(), Optional.empty());
    }

    static RecordedRun live(ObjectNode run, Optional<LiveRunStore.LastPause> pause, Optional<StoredRun> live) {
        return new RecordedRun(run, pause.map(LiveRunStore.LastPause::log), live, pause, Optional.empty());
    }

    RecordedRun showing(Optional<JsonNode> output) {
        return new RecordedRun(run, log, live, pause, output);
    }

    boolean is(RunStatus status) {
        return run.path("status").asText().equals(status.name());
    }

    Buffer text(RunView.CurrentLog seen) {
        return RecordText.object(run.put("stepsCount", seen.stepsCount()), "steps", seen.steps());
    }

    long bytes() {
        return log.map(Buffer::length).orElse(0) + live.map(StoredRun::bytes).orElse(0L);
    }

    Buffer text() {
        return live.map(stored -> Buffer.buffer(
                        DeepJson.bytes(shown(withRecordedSteps(run, stored.read(), log.map(Buffer::getBytes))))))
                .or(() -> log.map(text -> RecordText.object(run, "steps", text)))
                .orElseGet(() -> Buffer.buffer(DeepJson.bytes(run)));
    }

    private static ObjectNode begun(RunSnapshot left) {
        var steps = Json.object();
        var hasTriggered = left.status() == RunStatus.RUNNING || left.status() == RunStatus.PAUSED;
        if (hasTriggered && !left.flags().executeTrigger() && !left.flags().unprepared()) {
            steps.set("trigger", RunLog.record("PIECE_TRIGGER", "SUCCEEDED", Json.object(), left.payload(), 0));
        }
        return steps;
    }

    private ObjectNode shown(ObjectNode recorded) {
        soFar.ifPresent(output -> pause.flatMap(last -> RunLog.find(recorded.path("steps"), last.path()))
                .ifPresent(record -> record.set("output", output)));
        return recorded;
    }

    /**
     * A live run shows its log of its last pause, and the results that have been recorded outside loops since; the rest
     * is shown when it has ended. A run that has begun shows its trigger, which has no recorded result: the payload of
     * the row is its output.
     */
    private static ObjectNode withRecordedSteps(ObjectNode json, RunSnapshot left, Optional<byte[]> log) {
        var steps = log.map(bytes -> (ObjectNode) RecordText.read(bytes)).orElseGet(() -> begun(left));
        json.set("steps", steps);
        left.recorded().records().forEach((path, record) -> {
            if (path.indexOf('.') < 0) {
                steps.set(path, record);
            }
        });
        return json;
    }
}
