package io.millrace.account.platform;

import com.fasterxml.jackson.databind.node.BinaryNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Fields;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An image of a platform or a person (contract admin-api 15.2, 18.2). Readable without authentication by its id.
 *
 * @param mediaType detected from the first bytes; the sender's media type is ignored
 */
public record Picture(String id, String mediaType, Buffer data) {
    private static final int BYTES_MAX = 5 * 1024 * 1024;
    public static final String PATH = "/api/v1/platforms/assets/";
    private static final String REFUSED =
            "Invalid input: expected an image (PNG, JPEG, GIF, WebP or ICO) of at most 5 MB";

    public String url() {
        return PATH + id;
    }

    /** The picture in a field of a form, if there is one; an invalid picture is recorded as a violation. */
    public static Optional<Picture> read(Fields body, String field) {
        if (body.isAbsent(field)) {
            return Optional.empty();
        }
        if (body.raw(field) instanceof BinaryNode file && file.binaryValue().length <= BYTES_MAX) {
            var type = typeOf(file.binaryValue());
            if (type.isPresent()) {
                return Optional.of(new Picture(Ids.next(), type.get(), Buffer.buffer(file.binaryValue())));
            }
        }
        body.refuse(field, REFUSED);
        return Optional.empty();
    }

    /** Detects the media type. Formats that may contain scripts, as SVG does, are not accepted. */
    private static Optional<String> typeOf(byte[] bytes) {
        var head = new String(bytes, 0, Math.min(bytes.length, 12), StandardCharsets.ISO_8859_1);
        if (head.startsWith("\u0089PNG\r\n\u001a\n")) {
            return Optional.of("image/png");
        }
        if (head.startsWith("\u00ff\u00d8\u00ff")) {
            return Optional.of("image/jpeg");
        }
        if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) {
            return Optional.of("image/gif");
        }
        if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) {
            return Optional.of("image/webp");
        }
        return head.startsWith("\0\0\u0001\0") ? Optional.of("image/x-icon") : Optional.empty();
    }
}
