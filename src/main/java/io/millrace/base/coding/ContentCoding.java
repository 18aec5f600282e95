package io.millrace.base.coding;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/** Content encodings of HTTP (RFC 9110, 8.4): gzip, x-gzip, deflate with and without zlib header, zstd. Blocking. */
public final class ContentCoding {
    private static final Set<String> KNOWN = Set.of("gzip", "x-gzip", "deflate", "zstd");

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int ZLIB_METHOD_DEFLATE = 8;

    private ContentCoding() {}

    /** The unpacked bytes are more than the limit. */
    public static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLargeException(long bytesMax) {
            super("the decompressed content is larger than " + bytesMax);
        }
    }

    /** The codings of a header and its repetitions, in the order of decoding; identity is omitted. */
    public static List<String> undone(Iterable<String> headers) {
        var codings = new ArrayList<String>();
        for (var header : headers) {
            for (var coding : header.split(",")) {
                var name = coding.strip().toLowerCase(Locale.ROOT);
                if (!name.isEmpty() && !name.equals("identity")) {
                    codings.addFirst(name);
                }
            }
        }
        return codings;
    }

    public static boolean isKnown(String coding) {
        return KNOWN.contains(coding);
    }

    /**
     * Decodes a known coding, and stops at the limit: a decompression bomb costs no more than the limit.
     *
     * @param taken called with the memory that is allocated next, in bytes; may refuse by an exception
     * @throws TooLargeException when the content is larger than the limit
     * @throws IOException when the bytes are not valid in the coding
     */
    public static byte[] unpacked(byte[] packed, String coding, long bytesMax, LongConsumer taken) throws IOException {
        return switch (coding) {
            case "deflate" -> deflate(packed, bytesMax, taken);
            case "zstd" -> zstd(packed, bytesMax, taken);
            default -> read(new Gzip(packed), bytesMax, taken);
        };
    }

    private static byte[] zstd(byte[] packed, long bytesMax, LongConsumer taken) throws IOException {
        try {
            return Zstd.unpacked(packed, (int) Math.min(bytesMax, Integer.MAX_VALUE - Long.BYTES), taken);
        } catch (ApiException refused) {
            if (refused.code() == ErrorCode.BODY_TOO_LARGE) {
                throw new TooLargeException(bytesMax);
            }
            if (refused.code() == ErrorCode.INVALID_INPUT) {
                throw new ZipException(refused.getMessage());
            }
            throw refused;
        }
    }

    private static byte[] deflate(byte[] packed, long bytesMax, LongConsumer taken) throws IOException {
        if (!hasZlibHeader(packed)) {
            return read(new Deflated(packed, true), bytesMax, taken);
        }
        try {
            return read(new Deflated(packed, false), bytesMax, taken);
        } catch (ZipException bareThatLooksOtherwise) {
            return read(new Deflated(packed, true), bytesMax, taken);
        }
    }

    private static <T extends InputStream & BoundedStream> byte[] read(T plain, long bytesMax, LongConsumer taken)
            throws IOException {
        try (plain) {
            var unpacked = new ByteArrayOutputStream();
            var chunk = new byte[CHUNK_BYTES];
            for (var read = plain.read(chunk); read >= 0; read = plain.read(chunk)) {
                if (unpacked.size() + (long) read > bytesMax) {
                    throw new TooLargeException(bytesMax);
                }
                taken.accept(read);
                unpacked.write(chunk, 0, read);
            }
            plain.expectEnd();
            return unpacked.toByteArray();
        }
    }

    /** A stream whose end is known: the library ignores bytes after it. */
    private interface BoundedStream {
        /** Throws an exception when other bytes than zero padding follow the end. */
        void expectEnd() throws IOException;

        /** @param left number of bytes after the end */
        static void expectPadding(byte[] packed, int left) throws IOException {
            for (var index = packed.length - left; index < packed.length; index++) {
                if (packed[index] != 0) {
                    throw new ZipException("bytes follow the end of the packed data");
                }
            }
        }
    }

    /**
     * Members of gzip. The buffer holds all of them, so that the inflater knows the number of bytes after the last one.
     */
    private static final class Gzip extends GZIPInputStream implements BoundedStream {
        private static final int TRAILER_BYTES = 8;

        private final byte[] packed;

        Gzip(byte[] packed) throws IOException {
            super(new ByteArrayInputStream(packed), Math.max(1, packed.length));
            this.packed = packed;
        }

        @Override
        public void expectEnd() throws IOException {
            BoundedStream.expectPadding(packed, Math.max(0, inf.getRemaining() - TRAILER_BYTES));
        }
    }

    /** Frees the native memory of the inflater at once; the library does so only for inflaters that it made itself. */
    private static final class Deflated extends InflaterInputStream implements BoundedStream {
        private final byte[] packed;

        Deflated(byte[] packed, boolean isBare) {
            super(new ByteArrayInputStream(packed), new Inflater(isBare), CHUNK_BYTES);
            this.packed = packed;
        }

        @Override
        public void expectEnd() throws IOException {
            BoundedStream.expectPadding(packed, inf.getRemaining() + in.available());
        }

        @Override
        public void close() throws IOException {
            super.close();
            inf.end();
        }
    }

    /** Senders of "deflate" disagree about the zlib header. */
    private static boolean hasZlibHeader(byte[] body) {
        return body.length > 1
                && (body[0] & 0x0f) == ZLIB_METHOD_DEFLATE
                && ((body[0] & 0xff) << Byte.SIZE | body[1] & 0xff) % 31 == 0;
    }
}
