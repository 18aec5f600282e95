package io.millrace.base.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The shared JSON mapper, and conversions of common types: timestamps, objects, bytes. */
public final class Json {
    /** Deepest nesting that is read: deeper input is refused before it can exhaust a stack. */
    public static final int DEPTH_MAX = 200;

    public static final int NUMBER_CHARACTERS_MAX = 1000;

    /** Up to here every whole number is a double. */
    private static final double WHOLE_DOUBLES_MAX = 1L << 53;

    private static final int DAY_SECONDS = 86_400;

    /** Second at which the year begins. */
    private static final long YEAR_0 = -62_167_219_200L;

    /** Second at which the year begins. */
    private static final long YEAR_10000 = 253_402_300_800L;

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final ObjectMapper MAPPER = JsonMapper.builder(com.fasterxml.jackson.core.JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNumberLength(NUMBER_CHARACTERS_MAX)
                            .build())
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .nodeFactory(new ReadNodeFactory())
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
            .build();

    private Json() {}

    public static ObjectMapper mapper() {
        return MAPPER;
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /** Trailing text is an error. */
    public static JsonNode parse(byte[] bytes) throws JsonProcessingException {
        return parse(MAPPER, bytes);
    }

    public static JsonNode parse(byte[] bytes, int from) throws JsonProcessingException {
        return parse(MAPPER, bytes, from);
    }

    static JsonNode parse(ObjectMapper mapper, byte[] bytes) throws JsonProcessingException {
        return parse(mapper, bytes, 0);
    }

    private static JsonNode parse(ObjectMapper mapper, byte[] bytes, int from) throws JsonProcessingException {
        try {
            return mapper.readTree(bytes, from, bytes.length - from);
        } catch (JsonProcessingException malformed) {
            throw malformed;
        } catch (CharConversionException notUnicode) {
            throw new JsonParseException(null, "the text is not Unicode", notUnicode);
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    /** Trailing text is an error. */
    public static JsonNode parse(InputStream text) throws IOException {
        try {
            return MAPPER.readTree(text);
        } catch (CharConversionException notUnicode) {
            throw new JsonParseException(null, "the text is not Unicode", notUnicode);
        }
    }

    /** Trailing text is an error. */
    public static JsonNode parse(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /** Reads JSON that this server wrote: malformed text is a defect. */
    public static JsonNode trusted(byte[] bytes) {
        try {
            return parse(bytes);
        } catch (JsonProcessingException defect) {
            throw new IllegalStateException("stored JSON is malformed", defect);
        }
    }

    /** Reads JSON that this server wrote: malformed text is a defect. */
    public static JsonNode trusted(String text) {
        try {
            return parse(text);
        } catch (JsonProcessingException defect) {
            throw new IllegalStateException("stored JSON is malformed", defect);
        }
    }

    /** UTF-8 bytes of the value. */
    public static byte[] bytes(JsonNode value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree always has a text", impossible);
        }
    }

    /** Writes the text of the value as UTF-8, piece by piece; fails as {@link #bytes} does. */
    public static void write(JsonNode value, OutputStream out) {
        try {
            MAPPER.writeValue(out, value);
        } catch (IOException impossible) {
            throw new IllegalStateException("a tree always has a text", impossible);
        }
    }

    public static String text(JsonNode value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree always has a text", impossible);
        }
    }

    /** Text of the value indented by two spaces, as JavaScript's {@code JSON.stringify(value, null, 2)} writes it. */
    public static String pretty(JsonNode value) {
        try {
            return MAPPER.writer(printer(new DefaultIndenter("  ", "\n"))).writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree always has a text", impossible);
        }
    }

    /** One field or item per line, as JavaScript's JSON.stringify does. */
    static DefaultPrettyPrinter printer(DefaultPrettyPrinter.Indenter indenter) {
        var separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator("");
        return new DefaultPrettyPrinter(separators).withObjectIndenter(indenter).withArrayIndenter(indenter);
    }

    /** A number as JavaScript writes it: a whole one has no fraction. Null stays null. */
    public static JsonNode number(Double value) {
        if (value == null) {
            return JsonNodeFactory.instance.nullNode();
        }
        return value == Math.rint(value) && Math.abs(value) < WHOLE_DOUBLES_MAX
                ? JsonNodeFactory.instance.numberNode(value.longValue())
                : JsonNodeFactory.instance.numberNode(value);
    }

    /**
     * ISO-8601 in UTC with milliseconds and Z (contract admin-api 1.4); null stays null. Years of four digits are written
     * here: a list of runs has hundreds, and a formatter calls dozens of methods for each, which a JVM that has just started
     * interprets.
     */
    public static String timestamp(Instant instant) {
        if (instant == null) {
            return null;
        }
        var seconds = instant.getEpochSecond();
        if (seconds < YEAR_0 || seconds >= YEAR_10000) {
            return TIMESTAMP.format(instant);
        }
        var date = LocalDate.ofEpochDay(Math.floorDiv(seconds, DAY_SECONDS));
        var ofDay = Math.floorMod(seconds, DAY_SECONDS);
        var text = "0000-00-00T00:00:00.000Z".toCharArray();
        write(date.getYear(), text, 4);
        write(date.getMonthValue(), text, 7);
        write(date.getDayOfMonth(), text, 10);
        write(ofDay / 3600, text, 13);
        write(ofDay / 60 % 60, text, 16);
        write(ofDay % 60, text, 19);
        write(instant.getNano() / 1_000_000, text, 23);
        return new String(text);
    }

    /** Writes a number so that it ends before a place, where zeros are already. */
    private static void write(int number, char[] text, int end) {
        var place = end;
        for (var left = number; left > 0; left /= 10) {
            text[--place] = (char) ('0' + left % 10);
        }
    }
}
