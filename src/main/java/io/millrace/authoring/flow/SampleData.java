package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.util.Map;

/** What one may ask of the samples that tests of steps left. Answered by {@link SampleDataService}. */
public sealed interface SampleData {
    /**
     * A stored sample.
     *
     * @param isText whether the bytes are a text and not JSON
     */
    record Sample(boolean isText, Buffer data) {
        /** What a step without a sample answers. */
        static final Sample NONE = new Sample(false, Buffer.buffer("{}"));

        /** What a step answers whose sample was removed. */
        static final Sample GONE = new Sample(true, Buffer.buffer());

        /** A sample as it is stored: null and a missing value become the words {@code null} and {@code undefined}. */
        static Sample of(JsonNode payload) {
            return switch (payload.getNodeType()) {
                case MISSING -> new Sample(true, Buffer.buffer("undefined"));
                case NULL -> new Sample(true, Buffer.buffer("null"));
                case STRING -> new Sample(true, Buffer.buffer(payload.textValue()));
                case ARRAY, BINARY, BOOLEAN, NUMBER, OBJECT, POJO ->
                    new Sample(false, Buffer.buffer(DeepJson.bytes(payload)));
            };
        }

        /** The sample as a value. */
        JsonNode value() {
            return isText ? TextNode.valueOf(data.toString()) : Json.trusted(data.getBytes());
        }
    }

    /**
     * The sample of one step; {@code {}} when it has none, empty when its file has gone. Fails with ENTITY_NOT_FOUND when
     * project, flow, version and step do not belong together.
     */
    record Find(String projectId, String flowId, String versionId, String stepName, SampleDataType type)
            implements SampleData, BusRequest<Sample> {}

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
