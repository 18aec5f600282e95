package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;

/**
 * Input or output of a step's last test.
 *
 * @param isText true for plain text, false for JSON
 */
public record StepSample(boolean isText, Buffer data) {
    static final StepSample NONE = new StepSample(false, Buffer.buffer("{}"));

    /** Answer for a step whose sample was removed. */
    static final StepSample GONE = new StepSample(true, Buffer.buffer());

    /** Stored form of a sample: null and a missing value become the words {@code null} and {@code undefined}. */
    static StepSample of(JsonNode payload) {
        return switch (payload.getNodeType()) {
            case MISSING -> new StepSample(true, Buffer.buffer("undefined"));
            case NULL -> new StepSample(true, Buffer.buffer("null"));
            case STRING -> new StepSample(true, Buffer.buffer(payload.textValue()));
            case ARRAY, BINARY, BOOLEAN, NUMBER, OBJECT, POJO ->
                new StepSample(false, Buffer.buffer(DeepJson.bytes(payload)));
        };
    }

    public JsonNode value() {
        return isText ? TextNode.valueOf(data.toString()) : Json.trusted(data.getBytes());
    }
}
