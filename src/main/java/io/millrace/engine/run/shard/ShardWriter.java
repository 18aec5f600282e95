package io.millrace.engine.run.shard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Notice;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.RunWriter;
import io.millrace.engine.run.journal.LogDictionaries;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.plan.StepTests;
import io.millrace.engine.run.store.RunOwnership;
import io.millrace.engine.run.store.RunService;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes and notices of the runs of a shard, sent to the services that store them.
 *
 * @param texts available once the shard has started
 * @param progressed receives runs whose steps are durable
 */
record ShardWriter(
        Bus bus,
        String nodeId,
        LogDictionaries logs,
        StepTests stepTests,
        Supplier<LongTexts> texts,
        Consumer<String> progressed)
        implements RunWriter {
    private static final long NOTE_DEADLINE_MS = 30_000;

    @Override
    public Future<Boolean> write(RunWrite write) {
        var written = bus.ask(RunService.WRITER, write, RunWrite.DEADLINE_MS);
        return write instanceof RunWrite.Append append && !append.results().isEmpty()
                ? written.onSuccess(_ -> progressed.accept(append.runId()))
                : written;
    }

    @Override
    public Future<Pauses.PauseResult> pause(Pauses.Pause pause) {
        return bus.ask(pause, RunWrite.DEADLINE_MS);
    }

    @Override
    public Future<Boolean> noteStep(String runId, long fence, String path) {
        return bus.ask(new RunOwnership.NoteStep(runId, fence, path), NOTE_DEADLINE_MS);
    }

    /** Large values one after another: each takes several times its size during serialization. */
    @Override
    public Future<Buffer> serialise(JsonNode value, long bytes) {
        return texts.get().write(value, bytes);
    }

    @Override
    public Future<Buffer> log(String flowVersionId, JsonNode steps, long bytes) {
        return LogDictionaries.takes(bytes)
                ? Future.succeededFuture(logs.text(flowVersionId, steps))
                : serialise(steps, bytes);
    }

    @Override
    public Future<ObjectNode> keepSample(String flowVersionId, String stepName, JsonNode record) {
        return stepTests.keep(flowVersionId, stepName, record);
    }

    @Override
    public void tell(Notice notice) {
        bus.publish(notice);
    }
}
