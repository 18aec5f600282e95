package io.millrace.base.coding;

final class ZstdInput {
    private final byte[] bytes;
    private final int end;
    private int at;

    ZstdInput(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ZstdInput(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    int left() {
        return end - at;
    }

    int next() {
        return (int) next(1);
    }

    /** A number of up to eight bytes, the lowest first. */
    long next(int count) {
        require(count);
        var number = 0L;
        for (var index = 0; index < count; index++) {
            number |= (bytes[at + index] & 0xffL) << 8 * index;
        }
        at += count;
        return number;
    }

    /** Returns the next bytes as a separate input. */
    ZstdInput part(int count) {
        require(count);
        at += count;
        return new ZstdInput(bytes, at - count, at);
    }

    void copy(byte[] target, int count) {
        require(count);
        System.arraycopy(bytes, at, target, 0, count);
        at += count;
    }

    /**
     * Bits above a position of the remaining input, counted from its first bit; there are zeros before the first and after the
     * last.
     */
    long bits(long from, int count) {
        var missing = (int) Math.min(count, Math.max(0, -from));
        if (missing == count) {
            return 0;
        }
        var first = from + missing;
        var number = 0L;
        var byteIndex = (int) (first >> 3);
        for (var shift = 0; shift < (first & 7) + count - missing; shift += 8, byteIndex++) {
            number |= byteIndex < left() ? (bytes[at + byteIndex] & 0xffL) << shift : 0;
        }
        return (number >>> (first & 7) & (1L << count - missing) - 1) << missing;
    }

    private void require(int count) {
        if (count < 0 || count > left()) {
            throw malformed("more bytes");
        }
    }

    static IllegalArgumentException malformed(String expected) {
        return new IllegalArgumentException("expected zstd data with " + expected);
    }
}
