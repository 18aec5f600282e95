package io.millrace.base.coding;

/**
 * A decoding table of finite state entropy (RFC 8878, 4.1): a state encodes a symbol, and together with some bits the
 * next state.
 */
final class ZstdTable {
    private static final int LOG_MIN = 5;

    private final int log;
    private final int[] symbols;
    private final int[] bits;
    private final int[] bases;

    private ZstdTable(int log, int[] symbols, int[] bits, int[] bases) {
        this.log = log;
        this.symbols = symbols;
        this.bits = bits;
        this.bases = bases;
    }

    static ZstdTable ofOne(int symbol) {
        return new ZstdTable(0, new int[] {symbol}, new int[1], new int[1]);
    }

    /**
     * Builds a decoding table.
     *
     * @param shares number of states of each symbol; -1 for a rare one
     */
    static ZstdTable of(int log, int... shares) {
        var size = 1 << log;
        var symbols = new int[size];
        var next = new int[shares.length];
        var rare = size;
        for (var symbol = 0; symbol < shares.length; symbol++) {
            next[symbol] = Math.abs(shares[symbol]);
            if (shares[symbol] < 0) {
                symbols[--rare] = symbol;
            }
        }
        var place = 0;
        for (var symbol = 0; symbol < shares.length; symbol++) {
            for (var share = 0; share < shares[symbol]; share++) {
                symbols[place] = symbol;
                do {
                    place = place + (size >> 1) + (size >> 3) + 3 & size - 1;
                } while (place >= rare);
            }
        }
        var bits = new int[size];
        var bases = new int[size];
        for (var state = 0; state < size; state++) {
            var count = next[symbols[state]]++;
            bits[state] = log - ZstdBits.highest(count);
            bases[state] = (count << bits[state]) - size;
        }
        return new ZstdTable(log, symbols, bits, bases);
    }

    /** Reads the shares of the symbols, each in as many bits as what is left to share needs. */
    static ZstdTable read(ZstdInput input, int logMax, int symbolMax) {
        var log = LOG_MIN + (int) input.bits(0, 4);
        if (log > logMax) {
            throw ZstdInput.malformed("a table of at most " + logMax + " bits");
        }
        var shares = new int[symbolMax + 1];
        var at = 4L;
        var left = 1 << log;
        var symbol = 0;
        while (left > 0 && symbol <= symbolMax) {
            var width = ZstdBits.highest(left + 1) + 1;
            var value = (int) input.bits(at, width);
            var low = value & (1 << width - 1) - 1;
            var spare = (1 << width) - 2 - left;
            at += low < spare ? width - 1 : width;
            var share = (low < spare ? low : value > (1 << width - 1) - 1 ? value - spare : value) - 1;
            left -= Math.abs(share);
            shares[symbol++] = share;
            if (share == 0) {
                int more;
                do {
                    more = (int) input.bits(at, 2);
                    at += 2;
                    symbol += more;
                } while (more == 3 && symbol <= symbolMax);
            }
        }
        if (left != 0 || symbol > symbolMax + 1) {
            throw ZstdInput.malformed("shares that make a whole");
        }
        input.part((int) (at + 7 >> 3));
        return of(log, shares);
    }

    /** Number of bits of the initial state. */
    int log() {
        return log;
    }

    int symbol(int state) {
        return symbols[state];
    }

    int next(int state, ZstdBits stream) {
        return bases[state] + stream.read(bits[state]);
    }
}
