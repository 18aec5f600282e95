package io.millrace.authoring.flow.sample;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.StepSample;
import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.base.bus.BusRequest;
import java.util.Map;

/** Requests about samples from step tests. Handled by {@link SampleDataService}. */
public sealed interface SampleData {
    /**
     * The sample of one step; {@code {}} when it has none, empty when its file has gone. Fails with ENTITY_NOT_FOUND when
     * project, flow, version and step do not belong together.
     */
    record Find(String projectId, String flowId, String versionId, String stepName, SampleDataType type)
            implements SampleData, BusRequest<StepSample> {}

    /**
     * The outputs that the steps of a version had when they were tested last, by the name of the step: what a step under
     * test may refer to. Steps that were never tested are left out. Fails with ENTITY_NOT_FOUND.
     */
    record FindOutputs(String versionId) implements SampleData, BusRequest<Map<String, JsonNode>> {}

    /**
     * Keeps what a test of a step was given or put out, and records it on the step of that very version, locked or not:
     * samples are no part of what runs. Answers the id of the file. Fails with ENTITY_NOT_FOUND or BODY_TOO_LARGE.
     *
     * @param payload any value; a missing node for undefined
     */
    record Keep(String versionId, String stepName, SampleDataType type, JsonNode payload)
            implements SampleData, BusRequest<String> {}
}
