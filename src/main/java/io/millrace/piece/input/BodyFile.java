package io.millrace.piece.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.text.Base64Text;
import io.millrace.base.core.text.MediaType;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Bytes that are a whole HTTP body, with their content type: a processed file, or a data URI in base64. */
public record BodyFile(String contentType, Buffer data) {
    private static final String DATA = "data:";
    private static final String BASE64 = ";base64";

    public static Optional<BodyFile> of(JsonNode value) {
        if (value == null) {
            return Optional.empty();
        }
        if (value.isTextual()) {
            return ofDataUri(value.textValue());
        }
        return FileValue.of(value).map(file -> new BodyFile(FileNames.mediaTypeOf(file.fileName()), file.data()));
    }

    private static Optional<BodyFile> ofDataUri(String text) {
        var comma = text.indexOf(',');
        if (!text.startsWith(DATA) || comma < 0 || !text.startsWith(BASE64, comma - BASE64.length())) {
            return Optional.empty();
        }
        var type = text.substring(DATA.length(), comma - BASE64.length());
        return MediaType.of(type).name().isEmpty() ? Optional.empty() : decoded(type, text.substring(comma + 1));
    }

    private static Optional<BodyFile> decoded(String type, String base64) {
        try {
            return Optional.of(new BodyFile(type, Buffer.buffer(Base64Text.decoded(base64))));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }
}
