package io.millrace.base.net;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * Decompresses a body, and stops at the limit: a bomb costs no more than the limit. Blocking; belongs on a worker.
 */
final class Inflation {
    /** What requests say they understand. */
    static final String ACCEPTED = "gzip, deflate";

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int ZLIB_METHOD_DEFLATE = 8;

    private Inflation() {}

    /** Whether the content encoding is one that is undone here. */
    static boolean applies(String contentEncoding) {
        return switch (normal(contentEncoding)) {
            case "gzip", "x-gzip", "deflate" -> true;
            default -> false;
        };
    }

    /**
     * The decompressed body.
     *
     * @throws OutboundFailure when it is larger than the limit, or not what its encoding says
     */
    static Buffer inflate(Buffer body, String contentEncoding, int bytesMax) {
        try (var plain = opened(body.getBytes(), normal(contentEncoding))) {
            var inflated = Buffer.buffer();
            var chunk = new byte[CHUNK_BYTES];
            for (var read = plain.read(chunk); read >= 0; read = plain.read(chunk)) {
                if (inflated.length() + read > bytesMax) {
                    throw ResponseBodyReader.tooLarge(bytesMax);
                }
                inflated.appendBytes(chunk, 0, read);
            }
            return inflated;
        } catch (IOException malformed) {
            throw new OutboundFailure(
                    OutboundFailure.Kind.MALFORMED_RESPONSE,
                    "the response body is not the " + normal(contentEncoding) + " that its headers say");
        }
    }

    private static InputStream opened(byte[] body, String contentEncoding) throws IOException {
        var bytes = new ByteArrayInputStream(body);
        return contentEncoding.endsWith("gzip")
                ? new GZIPInputStream(bytes, CHUNK_BYTES)
                : new Deflated(bytes, !hasZlibHeader(body));
    }

    /** Gives the memory that inflating takes outside of the heap back at once; the library does so for its own only. */
    private static final class Deflated extends InflaterInputStream {
        Deflated(InputStream bytes, boolean isBare) {
            super(bytes, new Inflater(isBare), CHUNK_BYTES);
        }

        @Override
        public void close() throws IOException {
            super.close();
            inf.end();
        }
    }

    /** Servers send "deflate" with and without the zlib header; both are met in the wild. */
    private static boolean hasZlibHeader(byte[] body) {
        return body.length > 1
                && (body[0] & 0x0f) == ZLIB_METHOD_DEFLATE
                && ((body[0] & 0xff) << Byte.SIZE | body[1] & 0xff) % 31 == 0;
    }

    private static String normal(String contentEncoding) {
        return contentEncoding == null ? "" : contentEncoding.strip().toLowerCase(Locale.ROOT);
    }
}
