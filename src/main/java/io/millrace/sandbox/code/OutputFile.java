package io.millrace.sandbox.code;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Bytes in the output of a code step, which are stored as a file.
 *
 * @param place in the output; empty for the output itself
 */
public record OutputFile(JsonPointer place, Buffer data) {
    /** Most keys of a place: an output has no more levels. */
    private static final int KEYS_MAX = Json.DEPTH_MAX;

    /** Most characters of a place. Each search copies it once per key. */
    private static final int PLACE_LENGTH_MAX = 64 * 1024;

    private static final Pattern NAME = Pattern.compile("[\\w-][\\w. -]{0,99}", Pattern.UNICODE_CHARACTER_CLASS);

    /**
     * Reads the files of a result: {@code [{"keys": ["a", 0], "data": "<base64>"}]}.
     *
     * @param filesMax limit of files in one output (AP_CODE_OUTPUT_FILES_MAX); the host of the language has the same
     * @throws IllegalArgumentException when it is malformed, because code has written it in place of its host
     */
    public static List<OutputFile> read(JsonNode files, int filesMax) {
        if (files.size() > filesMax) {
            throw new IllegalArgumentException("expected at most " + filesMax + " files, found " + files.size());
        }
        var read = new ArrayList<OutputFile>();
        for (var file : files) {
            var data = Base64.getDecoder().decode(file.path("data").asText());
            read.add(new OutputFile(placeOf(file.path("keys")), Buffer.buffer(data)));
        }
        return read;
    }

    private static JsonPointer placeOf(JsonNode keys) {
        if (keys.size() > KEYS_MAX) {
            throw new IllegalArgumentException(
                    "expected files at most " + KEYS_MAX + " levels deep, found " + keys.size());
        }
        var place = new StringBuilder();
        for (var key : keys) {
            var text = key.asText();
            if (text.length() > PLACE_LENGTH_MAX - place.length()) {
                throw new IllegalArgumentException(
                        "expected keys of a file of at most " + PLACE_LENGTH_MAX + " characters together");
            }
            place.append(JsonPointer.SEPARATOR).append(text.replace("~", "~0").replace("/", "~1"));
        }
        return JsonPointer.compile(place.toString());
    }

    /** Name of the file: the key of its place if that can be one, with an extension. */
    public String name() {
        var last = place.last();
        var key = last == null ? "" : last.getMatchingProperty();
        var stem = last != null && !last.mayMatchElement() && NAME.matcher(key).matches() ? key : "output";
        return stem.contains(".") ? stem : stem + ".bin";
    }

    /**
     * The output with a value in the place of the bytes; the output itself if it has no such place.
     *
     * @param output null for nothing
     */
    public JsonNode replacedIn(JsonNode output, JsonNode value) {
        if (place.matches()) {
            return value;
        }
        if (output == null) {
            return null;
        }
        var last = place.last();
        switch (output.at(place.head())) {
            case ObjectNode object
            when object.path(last.getMatchingProperty()).isNull() -> object.set(last.getMatchingProperty(), value);
            case ArrayNode array
            when array.path(last.getMatchingIndex()).isNull() -> array.set(last.getMatchingIndex(), value);
            default -> {
                // Two keys of a dictionary became one, and another value hides the bytes.
            }
        }
        return output;
    }
}
