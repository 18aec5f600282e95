package io.millrace.engine.run.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.authoring.flow.sample.SampleData;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes for tests of single steps: the step that a run tests, the samples of the others, and the result. */
public final class StepTests {
    private static final Logger LOG = LoggerFactory.getLogger(StepTests.class);

    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;

    public StepTests(Bus bus) {
        this.bus = bus;
    }

    /** The step that a run tests; empty for a run of a whole flow. */
    public record StepOf(String runId) implements BusRequest<Optional<String>> {}

    /** The flow in the view of the run: whole, or only the step that it tests. */
    public Future<CompiledFlow> asSeenBy(RunWrite.RunHeader header, CompiledFlow flow) {
        return header.environment() == RunEnvironment.TESTING
                ? bus.ask(new StepOf(header.id()), DEADLINE_MS).compose(step -> alone(flow, step.orElse(null)))
                : Future.succeededFuture(flow);
    }

    /**
     * The flow reduced to the step, or the whole flow.
     *
     * @param stepName step that is tested, or null
     */
    public Future<CompiledFlow> alone(CompiledFlow flow, String stepName) {
        return stepName == null
                ? Future.succeededFuture(flow)
                : bus.ask(new SampleData.FindOutputs(flow.flowVersionId()), DEADLINE_MS)
                        .map(outputs -> StepTest.of(flow, stepName, outputs));
    }

    /**
     * Stores the input and the output of a tested step as its samples. A failure to store them does not affect the run.
     *
     * @return {@code {sampleDataFileId?, sampleDataInputFileId?}}
     */
    public Future<ObjectNode> keep(String versionId, String stepName, JsonNode record) {
        var output = record.has("output") ? record.get("output") : MissingNode.getInstance();
        var fileIds = Json.object();
        return keep(new SampleData.Keep(versionId, stepName, SampleDataType.INPUT, record.path("input")), fileIds)
                .compose(_ -> keep(new SampleData.Keep(versionId, stepName, SampleDataType.OUTPUT, output), fileIds))
                .map(fileIds);
    }

    private Future<Void> keep(SampleData.Keep keep, ObjectNode fileIds) {
        return bus.ask(keep, DEADLINE_MS)
                .<Void>map(fileId -> {
                    fileIds.put(keep.type().setting(), fileId);
                    return null;
                })
                .otherwise(cause -> {
                    LOG.warn(
                            "cannot store the sample of step {} of version {}: {}",
                            keep.stepName(),
                            keep.versionId(),
                            cause.getMessage());
                    return null;
                });
    }
}
