package io.millrace.authoring.flow.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.StepSample;
import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.base.bus.BusRequest;
import java.util.Map;

/** Requests about samples from step tests. Handled by {@link SampleDataService}. */
public sealed interface SampleData {
    /**
     * The sample of one step; {@code {}} when it has none, empty when its file was deleted. Fails with ENTITY_NOT_FOUND
     * when project, flow, version and step do not belong together.
     */
    record Find(String projectId, String flowId, String versionId, String stepName, SampleDataType type)
            implements SampleData, BusRequest<StepSample> {}

    /**
     * Outputs of the last tests of a version's steps, by step name, for references of a step under test. Untested steps
     * are omitted. Fails with ENTITY_NOT_FOUND.
     */
    record FindOutputs(String versionId) implements SampleData, BusRequest<Map<String, JsonNode>> {}

    /**
     * Evaluates an input for sample outputs of steps that the caller supplies: {@code {value}}, {@code {problem}} or
     * {@code {tooLong}}. Reads nothing.
     *
     * @param samples outputs by step name
     */
    record Preview(JsonNode value, ObjectNode samples) implements SampleData, BusRequest<ObjectNode> {}

    /**
     * Stores the input or output of a step test, and records it on the step of that version, locked or not, because
     * samples do not affect runs. Returns the id of the file. Fails with ENTITY_NOT_FOUND or BODY_TOO_LARGE.
     *
     * @param payload any value; a missing node for undefined
     */
    record Keep(String versionId, String stepName, SampleDataType type, JsonNode payload)
            implements SampleData, BusRequest<String> {}
}
