package io.millrace.base.coding;

/** Sequences of a frame's blocks (RFC 8878, 3.1.1.3.2): so many literals, then so many bytes from so far back. */
final class ZstdSequences {
    private static final int[] LENGTH_BASES = bases(
            0, 16, 1, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768,
            65536);
    private static final int[] LENGTH_BITS =
            bits(16, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    private static final int[] MATCH_BASES = bases(
            3, 32, 1, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771,
            65539);
    private static final int[] MATCH_BITS =
            bits(32, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    private static final int BACK_SYMBOL_MAX = 31;

    private static final ZstdTable LENGTHS = ZstdTable.of(
            6, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
            -1, -1);
    private static final ZstdTable MATCHES = ZstdTable.of(
            6, 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1);
    private static final ZstdTable BACKS =
            ZstdTable.of(5, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1);

    private final ZstdOutput output;
    private final long[] recent = {1, 4, 8};
    private ZstdTable lengths;
    private ZstdTable backs;
    private ZstdTable matches;

    ZstdSequences(ZstdOutput output) {
        this.output = output;
    }

    private static int[] bases(int first, int plain, int step, int... others) {
        var all = new int[plain + others.length];
        for (var symbol = 0; symbol < plain; symbol++) {
            all[symbol] = first + symbol * step;
        }
        System.arraycopy(others, 0, all, plain, others.length);
        return all;
    }

    private static int[] bits(int plain, int... others) {
        return bases(0, plain, 0, others);
    }

    void apply(ZstdInput block, byte[] literals) {
        var count = count(block);
        if (count == 0) {
            output.put(literals, 0, literals.length);
            return;
        }
        var kinds = block.next();
        lengths = table(kinds >> 6, block, LENGTHS, lengths, 9, LENGTH_BASES.length - 1);
        backs = table(kinds >> 4 & 3, block, BACKS, backs, 8, BACK_SYMBOL_MAX);
        matches = table(kinds >> 2 & 3, block, MATCHES, matches, 9, MATCH_BASES.length - 1);
        decode(new ZstdBits(block), count, literals);
    }

    private static int count(ZstdInput block) {
        var head = block.next();
        if (head < 128) {
            return head;
        }
        return head < 255 ? (head - 128 << 8) + block.next() : (int) block.next(2) + 0x7F00;
    }

    private static ZstdTable table(
            int kind, ZstdInput block, ZstdTable usual, ZstdTable before, int logMax, int symbolMax) {
        return switch (kind) {
            case 0 -> usual;
            case 1 -> ofOne(block.next(), symbolMax);
            case 2 -> ZstdTable.read(block, logMax, symbolMax);
            default -> {
                if (before == null) {
                    throw ZstdInput.malformed("a table before its use");
                }
                yield before;
            }
        };
    }

    private static ZstdTable ofOne(int symbol, int symbolMax) {
        if (symbol > symbolMax) {
            throw ZstdInput.malformed("symbols up to " + symbolMax);
        }
        return ZstdTable.ofOne(symbol);
    }

    private void decode(ZstdBits stream, int count, byte[] literals) {
        var length = stream.read(lengths.log());
        var back = stream.read(backs.log());
        var match = stream.read(matches.log());
        var used = 0;
        for (var sequence = 0; sequence < count; sequence++) {
            var backSymbol = backs.symbol(back);
            var matchSymbol = matches.symbol(match);
            var lengthSymbol = lengths.symbol(length);
            var told = (1L << backSymbol) + (stream.read(backSymbol) & 0xffffffffL);
            var matched = MATCH_BASES[matchSymbol] + stream.read(MATCH_BITS[matchSymbol]);
            var plain = LENGTH_BASES[lengthSymbol] + stream.read(LENGTH_BITS[lengthSymbol]);
            if (sequence < count - 1) {
                length = lengths.next(length, stream);
                match = matches.next(match, stream);
                back = backs.next(back, stream);
            }
            if (stream.left() < 0) {
                throw ZstdInput.malformed("as many sequences as announced");
            }
            output.put(literals, used, plain);
            used += plain;
            output.repeat(distance(told, plain == 0), matched);
        }
        if (stream.left() != 0) {
            throw ZstdInput.malformed("no more sequences than announced");
        }
        output.put(literals, used, literals.length - used);
    }

    /**
     * The smallest numbers denote recently used distances; without preceding literals, the most recent one is skipped.
     */
    private long distance(long told, boolean hasNoLiterals) {
        if (told > 3) {
            return remembered(told - 3, 2);
        }
        var index = (int) told - 1 + (hasNoLiterals ? 1 : 0);
        return index == 3 ? remembered(recent[0] - 1, 2) : remembered(recent[index], index);
    }

    private long remembered(long distance, int place) {
        System.arraycopy(recent, 0, recent, 1, place);
        recent[0] = distance;
        return distance;
    }
}
