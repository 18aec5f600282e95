package io.millrace.base.coding;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** Decompressed output; fails with BODY_TOO_LARGE above the limit. */
final class ZstdOutput {
    private static final int BYTES_FIRST = 64 * 1024;

    private final int bytesMax;
    private final LongConsumer taken;
    private byte[] bytes;
    private int length;
    private int frameStart;

    /** @param taken called with the memory that is allocated next, in bytes; may refuse by an exception */
    ZstdOutput(int bytesMax, LongConsumer taken) {
        this.bytesMax = bytesMax;
        this.taken = taken;
        var first = Math.min(bytesMax, BYTES_FIRST);
        taken.accept(first);
        this.bytes = new byte[first];
    }

    /** Ends the range of back-references: earlier output cannot be repeated. */
    void beginFrame() {
        frameStart = length;
    }

    void put(byte[] source, int from, int count) {
        if (from + count > source.length) {
            throw ZstdInput.malformed("as many literals as it uses");
        }
        grow(count);
        System.arraycopy(source, from, bytes, length - count, count);
    }

    void put(ZstdInput source, int count) {
        var copied = new byte[Math.min(count, source.left())];
        source.copy(copied, count);
        put(copied, 0, count);
    }

    void fill(int value, int count) {
        grow(count);
        Arrays.fill(bytes, length - count, length, (byte) value);
    }

    /** Copies earlier output; source and target may overlap. */
    void repeat(long back, int count) {
        if (back <= 0 || back > length - frameStart) {
            throw ZstdInput.malformed("no match before the start of the output");
        }
        grow(count);
        for (var at = length - count; at < length; at++) {
            bytes[at] = bytes[at - (int) back];
        }
    }

    private void grow(int count) {
        var needed = (long) length + count;
        if (needed > bytesMax) {
            throw ApiException.of(ErrorCode.BODY_TOO_LARGE, "Expected at most " + bytesMax + " bytes, unpacked");
        }
        if (needed > bytes.length) {
            var capacity = (int) Math.min(bytesMax, Math.max(needed, 2L * bytes.length));
            taken.accept(capacity - bytes.length);
            bytes = Arrays.copyOf(bytes, capacity);
        }
        length = (int) needed;
    }

    /** The last 32 bits of XXH64 over the frame (RFC 8878, 3.1.1). */
    int frameHash() {
        return (int) XxHash64.of(bytes, frameStart, length);
    }

    int frameLength() {
        return length - frameStart;
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }
}
