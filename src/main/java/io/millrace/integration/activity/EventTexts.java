package io.millrace.integration.activity;

import io.millrace.base.http.socket.EventStream;
import io.millrace.engine.run.StepProgress;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Events of a batch as texts, each made once for all listeners. */
final class EventTexts {
    private final ProjectEvents.Batch batch;
    private final Map<String, List<StepProgress>> steps;
    private final Map<EventPosition, Buffer> frames = new HashMap<>();

    /** @param steps steps by run id */
    EventTexts(ProjectEvents.Batch batch, Map<String, List<StepProgress>> steps) {
        this.batch = batch;
        this.steps = steps;
    }

    ProjectEvents.Batch batch() {
        return batch;
    }

    /**
     * Text of an event. Steps precede the event of their run and have no id, so that a client which loses the connection
     * between them receives all of them again.
     */
    Buffer frame(ProjectEvent event) {
        return frames.computeIfAbsent(event.position(), _ -> withSteps(event));
    }

    private Buffer withSteps(ProjectEvent event) {
        var text = Buffer.buffer();
        event.runWithSteps().ifPresent(runId -> {
            var flowId = event.data().path("flowId").asText();
            for (var step : steps.getOrDefault(runId, List.of())) {
                var json =
                        step.toJson().put("runId", runId).put("flowId", flowId).put("number", step.number());
                text.appendBuffer(EventStream.frame("step", json));
            }
        });
        return text.appendBuffer(
                EventStream.frame(event.kind(), event.position().text(), event.data()));
    }
}
