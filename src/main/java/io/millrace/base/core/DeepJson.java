package io.millrace.base.core;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;

/**
 * The text of JSON that is a long chain of objects, as the steps of a flow are: each {@code nextAction} is one level
 * deeper, so that a long flow passes the depth that other input may have. Reads and writes without recursion.
 */
public final class DeepJson {
    /** Deepest nesting that is read or written: the longest flow there can be, and its settings. */
    public static final int DEPTH_MAX = 10_400;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNumberLength(1000)
                            .build())
                    .streamWriteConstraints(StreamWriteConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .nodeFactory(new ReadNodeFactory())
            .build();

    private DeepJson() {}

    /** Trailing text is an error. */
    public static JsonNode parse(byte[] text) throws JsonProcessingException {
        return Json.parse(MAPPER, text);
    }

    /** Reads JSON that this server wrote: malformed text is a defect. */
    public static JsonNode trusted(byte[] text) {
        try {
            return parse(text);
        } catch (JsonProcessingException defect) {
            throw new IllegalStateException("stored JSON is malformed", defect);
        }
    }

    /** Half of a character, which UTF-8 cannot hold, becomes a question mark. */
    public static byte[] bytes(JsonNode value) {
        var bytes = new ByteArrayOutputStream();
        var characters = new OutputStreamWriter(bytes, StandardCharsets.UTF_8);
        try (var generator = MAPPER.getFactory().createGenerator(characters)) {
            write(value, generator);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * UTF-8 bytes of the value, a field or an item on each line. Indented up to a depth only: the text of a long chain
     * would otherwise grow with the square of its length.
     */
    public static byte[] lines(JsonNode value) {
        var bytes = new ByteArrayOutputStream();
        var characters = new OutputStreamWriter(bytes, StandardCharsets.UTF_8);
        try (var generator = MAPPER.getFactory().createGenerator(characters)) {
            generator.setPrettyPrinter(Json.printer(new BoundedIndenter()));
            write(value, generator);
            generator.writeRaw('\n');
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    private static final class BoundedIndenter implements DefaultPrettyPrinter.Indenter {
        private static final int LEVELS_MAX = 20;
        private static final String BLANKS = "  ".repeat(LEVELS_MAX);

        @Override
        public void writeIndentation(JsonGenerator generator, int level) throws IOException {
            generator.writeRaw('\n');
            generator.writeRaw(BLANKS, 0, 2 * Math.min(level, LEVELS_MAX));
        }

        @Override
        public boolean isInline() {
            return false;
        }
    }

    private sealed interface Rest {
        record OfObject(Iterator<Map.Entry<String, JsonNode>> fields) implements Rest {}

        record OfArray(Iterator<JsonNode> items) implements Rest {}
    }

    private static void write(JsonNode value, JsonGenerator generator) throws IOException {
        var open = new ArrayDeque<Rest>();
        begin(value, generator, open);
        while (!open.isEmpty()) {
            switch (open.peek()) {
                case Rest.OfObject(var fields)
                when fields.hasNext() -> {
                    var field = fields.next();
                    generator.writeFieldName(field.getKey());
                    begin(field.getValue(), generator, open);
                }
                case Rest.OfArray(var items) when items.hasNext() -> begin(items.next(), generator, open);
                case Rest.OfObject _ -> {
                    generator.writeEndObject();
                    open.pop();
                }
                case Rest.OfArray _ -> {
                    generator.writeEndArray();
                    open.pop();
                }
            }
        }
    }

    private static void begin(JsonNode value, JsonGenerator generator, ArrayDeque<Rest> open) throws IOException {
        switch (value) {
            case ObjectNode object -> {
                generator.writeStartObject();
                open.push(new Rest.OfObject(object.properties().iterator()));
            }
            case ArrayNode array -> {
                generator.writeStartArray();
                open.push(new Rest.OfArray(array.iterator()));
            }
            default -> MAPPER.writeTree(generator, value);
        }
    }
}
