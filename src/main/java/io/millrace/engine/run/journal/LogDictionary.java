package io.millrace.engine.run.journal;

import io.millrace.base.core.memory.CompressedText;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Common part of the logs of one flow version. With it as the preset dictionary of zlib (RFC 1950) a log shrinks to
 * about a tenth of its size, because names, types and settings of steps are not repeated in each of them (decision
 * 0013). The format itself records that it needs a dictionary, and by its checksum which one.
 */
public final class LogDictionary {
    /**
     * A longer log compresses well enough without. Bounds the decompressed size, so that it may run on an event loop.
     */
    static final int LOG_BYTES_MAX = 32 * 1024;

    /** A quarter of the window of the format; a larger dictionary costs more time for each log. */
    static final int BYTES_MAX = 8 * 1024;

    private static final byte ZLIB = 0x78;
    private static final int NEEDS_DICTIONARY = 0x20;

    private final PresetDeflater.Preset preset;

    LogDictionary(byte[] text) {
        this.preset = new PresetDeflater.Preset(text.length > BYTES_MAX ? Arrays.copyOf(text, BYTES_MAX) : text);
    }

    Buffer text() {
        return Buffer.buffer(preset.bytes());
    }

    /** The text, compressed if that makes it shorter, by a reusable deflater. */
    Buffer pack(byte[] text, PresetDeflater deflater) {
        var packed = deflater.pack(text, preset);
        return Buffer.buffer(packed == null ? text : packed);
    }

    /**
     * Converts a stored log into the common format: logs without a dictionary are unchanged.
     *
     * @throws IllegalStateException when it needs another dictionary, or is malformed
     */
    public static Buffer unpacked(Buffer kept, Optional<Buffer> dictionary) {
        if (kept.length() < 2 || kept.getByte(0) != ZLIB || (kept.getByte(1) & NEEDS_DICTIONARY) == 0) {
            return kept;
        }
        var text = dictionary.orElseThrow(() -> new IllegalStateException("the dictionary of a log is missing"));
        return Buffer.buffer(CompressedText.of(inflated(kept.getBytes(), text.getBytes())));
    }

    private static byte[] inflated(byte[] packed, byte[] dictionary) {
        var inflater = new Inflater();
        try {
            inflater.setInput(packed);
            var text = new byte[LOG_BYTES_MAX * 2];
            var length = inflater.inflate(text);
            if (inflater.needsDictionary()) {
                inflater.setDictionary(dictionary);
                length = inflater.inflate(text);
            }
            while (!inflater.finished()) {
                text = Arrays.copyOf(text, text.length * 2);
                var more = inflater.inflate(text, length, text.length - length);
                if (more == 0) {
                    throw new IllegalStateException("a log ends too early");
                }
                length += more;
            }
            return Arrays.copyOf(text, length);
        } catch (DataFormatException | IllegalArgumentException defect) {
            throw new IllegalStateException("a log does not match its dictionary", defect);
        } finally {
            inflater.end();
        }
    }
}
