package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.PieceFailure;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

public record FormField(String name, Optional<String> text, Optional<FileContent> file) {
    /** A file as the engine hands it to a step (contract flows-and-engine 8.5). */
    public record FileContent(String fileName, Buffer data) {}

    public static FormField ofText(String name, String text) {
        return new FormField(name, Optional.of(text), Optional.empty());
    }

    /** Reads the list of the newer versions, or the object of the older ones. */
    static List<FormField> listOf(JsonNode data) {
        var fields = new ArrayList<FormField>();
        if (data.isArray()) {
            data.forEach(item -> fields.add(ofItem(item)));
        } else if (data.isObject()) {
            data.properties().forEach(entry -> fields.add(ofValue(entry.getKey(), entry.getValue())));
        } else {
            throw PieceFailure.of("Form data: expected a list of fields or an object");
        }
        return fields;
    }

    private static FormField ofItem(JsonNode item) {
        var name = item.path("fieldName").asText("");
        if (name.isEmpty()) {
            throw PieceFailure.of("Form data: a field has no name");
        }
        if (!item.path("fieldType").asText().equals("file")) {
            return ofText(name, HttpCall.text(item.path("textFieldValue")));
        }
        return new FormField(name, Optional.empty(), Optional.of(fileOf(name, item.path("fileFieldValue"))));
    }

    private static FormField ofValue(String name, JsonNode value) {
        return isFile(value)
                ? new FormField(name, Optional.empty(), Optional.of(fileOf(name, value)))
                : ofText(name, HttpCall.text(value));
    }

    private static boolean isFile(JsonNode value) {
        return value.isObject() && value.has("filename") && (value.has("base64") || value.has("data"));
    }

    private static FileContent fileOf(String name, JsonNode value) {
        try {
            if (value.isTextual() && value.asText().startsWith("data:")) {
                return ofDataUri(value.asText());
            }
            var content = value.hasNonNull("base64") ? value.path("base64") : value.path("data");
            var bytes = content.binaryValue();
            if (bytes != null) {
                return new FileContent(value.path("filename").asText("unknown"), Buffer.buffer(bytes));
            }
        } catch (IOException | IllegalArgumentException notBase64) {
            throw PieceFailure.of("Form field \"" + name + "\": the file is not Base64");
        }
        throw PieceFailure.of("Form field \"" + name + "\": expected a file");
    }

    private static FileContent ofDataUri(String uri) {
        var comma = uri.indexOf(',');
        var head = comma < 0 ? "" : uri.substring("data:".length(), comma);
        if (!head.endsWith(";base64")) {
            throw new IllegalArgumentException("expected a Base64 data URI");
        }
        var mediaType = head.split(";", 2)[0];
        return new FileContent(
                "unknown." + HttpFileName.extensionOf(mediaType),
                Buffer.buffer(Base64.getDecoder().decode(uri.substring(comma + 1))));
    }
}
