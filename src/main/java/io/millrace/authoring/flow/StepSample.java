package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;

/**
 * What a step was given or put out when it was tested last.
 *
 * @param isText whether the bytes are a text and not JSON
 */
public record StepSample(boolean isText, Buffer data) {
    /** What a step without a sample answers. */
    static final StepSample NONE = new StepSample(false, Buffer.buffer("{}"));

    /** What a step answers whose sample was removed. */
    static final StepSample GONE = new StepSample(true, Buffer.buffer());

    /** A sample as it is stored: null and a missing value become the words {@code null} and {@code undefined}. */
    static StepSample of(JsonNode payload) {
        return switch (payload.getNodeType()) {
            case MISSING -> new StepSample(true, Buffer.buffer("undefined"));
            case NULL -> new StepSample(true, Buffer.buffer("null"));
            case STRING -> new StepSample(true, Buffer.buffer(payload.textValue()));
            case ARRAY, BINARY, BOOLEAN, NUMBER, OBJECT, POJO ->
                new StepSample(false, Buffer.buffer(DeepJson.bytes(payload)));
        };
    }

    /** The sample as a value. */
    public JsonNode value() {
        return isText ? TextNode.valueOf(data.toString()) : Json.trusted(data.getBytes());
    }
}
