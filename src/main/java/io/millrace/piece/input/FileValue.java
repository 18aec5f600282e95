package io.millrace.piece.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.Base64Text;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Value of a FILE property (contract flows-and-engine 8.5).
 *
 * @param extension without a dot
 */
public record FileValue(String fileName, String extension, Buffer data) {
    private static final Pattern DATA_URI =
            Pattern.compile("data:([a-zA-Z0-9.+-]+/[a-zA-Z0-9.+-]+)(;[a-zA-Z0-9=._-]+)*;base64");

    /** The JDK matches each parameter of the head in further frames of the stack. */
    private static final int HEAD_LENGTH_MAX = 1_000;

    static Optional<FileValue> ofDataUri(String text) {
        var comma = text.indexOf(',');
        var head = comma < 0 || comma > HEAD_LENGTH_MAX ? null : DATA_URI.matcher(text.substring(0, comma));
        if (head == null || !head.matches()) {
            return Optional.empty();
        }
        try {
            var extension = FileNames.extensionOf(head.group(1));
            var data = Base64Text.decoded(text.substring(comma + 1));
            return Optional.of(new FileValue("unknown." + extension, extension, Buffer.buffer(data)));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    /** JSON form for pieces: filename, extension and data. The data's text is base64. */
    public ObjectNode toJson() {
        var file = Json.object().put("filename", fileName).put("extension", extension);
        file.set("data", BinaryNode.valueOf(data.getBytes()));
        return file;
    }

    public static Optional<FileValue> of(JsonNode value) {
        if (!isFile(value)) {
            return Optional.empty();
        }
        try {
            var data = Buffer.buffer(value.path("data").binaryValue());
            return Optional.of(new FileValue(
                    value.path("filename").asText(), value.path("extension").asText(), data));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a processed file has binary data", impossible);
        }
    }

    static boolean isFile(JsonNode value) {
        return value.path("data").isBinary();
    }
}
