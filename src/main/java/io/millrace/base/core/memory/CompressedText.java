package io.millrace.base.core.memory;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;

/**
 * Stored form of JSON text: compressed when it is long enough to gain by it (decision 0013). The first byte of compressed
 * text is one that no JSON text begins with.
 */
public final class CompressedText {
    /** Shorter text gains little and is the common case: a run of a few steps. */
    private static final int PACKED_BYTES_MIN = 2 * 1024;

    private static final int BLOCK_BYTES = 32 * 1024;

    /** First byte of the zlib format with its usual window. */
    private static final byte ZLIB = 0x78;

    private CompressedText() {}

    public static byte[] of(byte[] text) {
        return text.length < PACKED_BYTES_MIN ? text : deflated(text);
    }

    /** The text again. */
    public static byte[] text(byte[] packed) {
        return packed.length > 0 && packed[0] == ZLIB ? inflated(packed) : packed;
    }

    /**
     * The text of a value that contains a long text, compressed while it is written, so that it is never in memory as a
     * whole.
     */
    public static byte[] ofLong(JsonNode value) {
        return deflated(out -> Json.write(value, out));
    }

    private static byte[] deflated(byte[] text) {
        return deflated(out -> out.write(text));
    }

    /** By the fastest level: the next one takes twice the time for 5 % of the size. */
    private static byte[] deflated(Writing text) {
        var deflater = new Deflater(Deflater.BEST_SPEED);
        var packed = new ByteArrayOutputStream(BLOCK_BYTES);
        try (var out = new DeflaterOutputStream(packed, deflater, BLOCK_BYTES)) {
            text.to(out);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        } finally {
            deflater.end();
        }
        return packed.toByteArray();
    }

    @FunctionalInterface
    private interface Writing {
        void to(OutputStream out) throws IOException;
    }

    private static byte[] inflated(byte[] packed) {
        var inflater = new Inflater();
        try {
            inflater.setInput(packed);
            var text = new ByteArrayOutputStream(packed.length * 4);
            var block = new byte[BLOCK_BYTES];
            while (!inflater.finished()) {
                var count = inflater.inflate(block);
                if (count == 0 && !inflater.finished()) {
                    throw new IllegalStateException("stored text ends too early");
                }
                text.write(block, 0, count);
            }
            return text.toByteArray();
        } catch (DataFormatException defect) {
            throw new IllegalStateException("stored text is malformed", defect);
        } finally {
            inflater.end();
        }
    }
}
