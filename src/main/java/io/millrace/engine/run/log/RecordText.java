package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.memory.CompressedText;
import io.vertx.core.buffer.Buffer;

/**
 * Text form in which a run's values are stored. Every value has one: including values nested deeper than the input
 * limit, because records add levels, and texts with an unpaired surrogate, which becomes a question mark.
 */
public final class RecordText {
    private RecordText() {}

    /**
     * UTF-8 text of a value, compressed when it is long. The fast writer refuses unusual values, which a slower one
     * serializes.
     */
    public static Buffer of(JsonNode value) {
        return Buffer.buffer(CompressedText.of(plain(value)));
    }

    public static byte[] plain(JsonNode value) {
        try {
            return Json.bytes(value);
        } catch (IllegalStateException unusual) {
            return DeepJson.bytes(value);
        }
    }

    static Buffer ofLong(JsonNode value) {
        try {
            return Buffer.buffer(CompressedText.ofLong(value));
        } catch (IllegalStateException unusual) {
            return of(value);
        }
    }

    /** Text of an object with one more field, whose value is serialized already. */
    public static Buffer object(ObjectNode object, String field, Buffer packed) {
        var head = DeepJson.bytes(object);
        var value = CompressedText.text(packed.getBytes());
        return Buffer.buffer(head.length + field.length() + value.length + 4)
                .appendBytes(head, 0, head.length - 1)
                .appendString(",\"" + field + "\":")
                .appendBytes(value)
                .appendString("}");
    }

    public static JsonNode read(byte[] packed) {
        return DeepJson.trusted(CompressedText.text(packed));
    }
}
