package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.core.DeepJson;
import io.millrace.core.Json;
import io.vertx.core.buffer.Buffer;

/**
 * The text in which a run's values are kept. Every value has one: also what is nested deeper than input may be, because
 * records nest it further, and a text that holds half of a character, which becomes a question mark.
 */
final class RecordText {
    private RecordText() {}

    /** UTF-8 text of a value. The quick writer refuses the unusual, for which there is the patient one. */
    static Buffer of(JsonNode value) {
        byte[] text;
        try {
            text = Json.bytes(value);
        } catch (IllegalStateException unusual) {
            text = DeepJson.bytes(value);
        }
        return Buffer.buffer(text);
    }

    /** The value of such a text. */
    static JsonNode read(byte[] text) {
        return DeepJson.trusted(text);
    }
}
