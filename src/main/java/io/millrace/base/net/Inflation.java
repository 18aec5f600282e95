package io.millrace.base.net;

import io.millrace.base.coding.ContentCoding;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.List;

/**
 * Decompresses a body, and stops at the limit: a decompression bomb costs no more than the limit. Blocks; call it on a
 * worker.
 */
final class Inflation {
    /** Encodings that requests ask for. Responses in zstd are decompressed, too. */
    static final String ACCEPTED = "gzip, deflate";

    private Inflation() {}

    static boolean applies(List<String> contentEncodings) {
        var codings = ContentCoding.undone(contentEncodings);
        return !codings.isEmpty() && codings.stream().allMatch(ContentCoding::isKnown);
    }

    /**
     * The decompressed body.
     *
     * @throws OutboundFailure when it is larger than the limit, or not valid in its encoding
     */
    static Buffer inflate(Buffer body, List<String> contentEncodings, int bytesMax) {
        var codings = ContentCoding.undone(contentEncodings);
        try {
            var plain = body.getBytes();
            for (var coding : codings) {
                plain = ContentCoding.unpacked(plain, coding, bytesMax, _ -> {});
            }
            return Buffer.buffer(plain);
        } catch (ContentCoding.TooLargeException tooLarge) {
            throw ResponseBodyReader.tooLarge(bytesMax);
        } catch (IOException malformed) {
            throw new OutboundFailure(
                    OutboundFailure.Kind.MALFORMED_RESPONSE,
                    "the response body is not " + String.join(", ", codings.reversed())
                            + ", which its content-encoding header names");
        }
    }
}
