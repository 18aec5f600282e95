package io.millrace.base.coding;

/** Reverse bit reader of zstd's coded streams: the last bits written are read first. A marker shows the end. */
final class ZstdBits {
    private final ZstdInput input;
    private long left;

    ZstdBits(ZstdInput input) {
        this.input = input;
        var last = input.left() == 0 ? 0 : (int) input.bits(8L * (input.left() - 1), 8);
        if (last == 0) {
            throw ZstdInput.malformed("the end of a stream");
        }
        this.left = 8L * (input.left() - 1) + highest(last);
    }

    static int highest(int number) {
        return 31 - Integer.numberOfLeadingZeros(number);
    }

    /** The next bits, at most 32; zeros once all are read. */
    int read(int count) {
        left -= count;
        return count == 0 ? 0 : (int) input.bits(left, count);
    }

    /** Bits that are not read yet; below zero when more was read than there is. */
    long left() {
        return left;
    }
}
