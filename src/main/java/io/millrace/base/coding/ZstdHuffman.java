package io.millrace.base.coding;

import java.util.Arrays;

/** A Huffman code of literals (RFC 8878, 4.2). */
final class ZstdHuffman {
    private static final int LOG_MAX = 11;
    private static final int WEIGHTS_MAX = 255;
    private static final int WEIGHT_LOG_MAX = 6;
    private static final int DIRECT = 128;

    private final int log;
    private final byte[] symbols;
    private final byte[] lengths;

    private ZstdHuffman(int log, byte[] symbols, byte[] lengths) {
        this.log = log;
        this.symbols = symbols;
        this.lengths = lengths;
    }

    static ZstdHuffman read(ZstdInput input) {
        var weights = new int[WEIGHTS_MAX + 1];
        var head = input.next();
        int count;
        if (head < DIRECT) {
            count = coded(input.part(head), weights);
        } else {
            count = head - DIRECT + 1;
            var packed = input.part((count + 1) / 2);
            for (var index = 0; index < count; index++) {
                weights[index] = (int) packed.bits(index * 4L ^ 4, 4);
            }
        }
        return of(weights, count);
    }

    /** Weights that are coded themselves, by two states in turn, until their bits are used up. */
    private static int coded(ZstdInput input, int[] weights) {
        var table = ZstdTable.read(input, WEIGHT_LOG_MAX, WEIGHTS_MAX);
        var stream = new ZstdBits(input);
        var states = new int[] {stream.read(table.log()), stream.read(table.log())};
        var count = 0;
        while (count < WEIGHTS_MAX - 1) {
            var turn = count % 2;
            weights[count++] = table.symbol(states[turn]);
            states[turn] = table.next(states[turn], stream);
            if (stream.left() < 0) {
                weights[count++] = table.symbol(states[1 - turn]);
                return count;
            }
        }
        throw ZstdInput.malformed("at most " + WEIGHTS_MAX + " weights");
    }

    /** The last weight is implicit: it makes the sum a power of two. */
    private static ZstdHuffman of(int[] weights, int count) {
        var sum = 0L;
        for (var index = 0; index < count; index++) {
            if (weights[index] > LOG_MAX) {
                throw ZstdInput.malformed("codes of at most " + LOG_MAX + " bits");
            }
            sum += 1L << weights[index] >> 1;
        }
        if (sum == 0 || sum >= 1 << LOG_MAX) {
            throw ZstdInput.malformed("codes of at most " + LOG_MAX + " bits");
        }
        var log = ZstdBits.highest((int) sum) + 1;
        var rest = (1 << log) - (int) sum;
        if (Integer.bitCount(rest) != 1) {
            throw ZstdInput.malformed("a whole Huffman code");
        }
        weights[count] = ZstdBits.highest(rest) + 1;
        return filled(log, weights, count + 1);
    }

    private static ZstdHuffman filled(int log, int[] weights, int count) {
        var symbols = new byte[1 << log];
        var lengths = new byte[1 << log];
        var place = 0;
        for (var weight = 1; weight <= log; weight++) {
            for (var symbol = 0; symbol < count; symbol++) {
                if (weights[symbol] == weight) {
                    var end = place + (1 << weight - 1);
                    Arrays.fill(symbols, place, end, (byte) symbol);
                    Arrays.fill(lengths, place, end, (byte) (log + 1 - weight));
                    place = end;
                }
            }
        }
        return new ZstdHuffman(log, symbols, lengths);
    }

    void decode(ZstdInput input, byte[] target, int from, int count) {
        var stream = new ZstdBits(input);
        var state = stream.read(log);
        for (var index = from; index < from + count; index++) {
            target[index] = symbols[state];
            var length = lengths[state];
            state = (state << length) + stream.read(length) & (1 << log) - 1;
        }
        if (stream.left() != -log) {
            throw ZstdInput.malformed("as many literals as announced");
        }
    }
}
