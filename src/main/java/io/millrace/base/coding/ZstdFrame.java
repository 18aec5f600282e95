package io.millrace.base.coding;

import java.util.Arrays;

/** The packed blocks of one frame (RFC 8878, 3.1.1.3): each may use the tables and distances of those before it. */
final class ZstdFrame {
    /** Largest block, packed or not. */
    static final int BLOCK_MAX = 128 * 1024;

    private static final int RAW = 0;
    private static final int OF_ONE = 1;
    private static final int WITH_NEW_CODE = 2;
    private static final int STREAMS = 4;

    private final ZstdSequences sequences;
    private ZstdHuffman code;

    ZstdFrame(ZstdOutput output) {
        this.sequences = new ZstdSequences(output);
    }

    void unpack(ZstdInput block) {
        sequences.apply(block, literals(block));
    }

    private byte[] literals(ZstdInput block) {
        var head = block.next();
        var kind = head & 3;
        var form = head >> 2 & 3;
        if (kind == RAW || kind == OF_ONE) {
            var size = switch (form) {
                case 1 -> head >> 4 | block.next() << 4;
                case 3 -> head >> 4 | (int) block.next(2) << 4;
                default -> head >> 3;
            };
            var literals = new byte[limited(size)];
            if (kind == RAW) {
                block.copy(literals, size);
            } else {
                Arrays.fill(literals, (byte) block.next());
            }
            return literals;
        }
        return coded(block, head, form, kind == WITH_NEW_CODE);
    }

    private static int limited(int size) {
        if (size > BLOCK_MAX) {
            throw ZstdInput.malformed("at most " + BLOCK_MAX + " literals in a block");
        }
        return size;
    }

    /** Both sizes have the number of bits that the format field selects. */
    private byte[] coded(ZstdInput block, int head, int form, boolean hasNewCode) {
        var width = form < 2 ? 10 : form == 2 ? 14 : 18;
        var sizes = head >> 4 | block.next(width / 4) << 4;
        var mask = (1L << width) - 1;
        var literals = new byte[limited((int) (sizes & mask))];
        var part = block.part((int) (sizes >> width & mask));
        if (hasNewCode) {
            code = ZstdHuffman.read(part);
        }
        if (code == null) {
            throw ZstdInput.malformed("a code before its use");
        }
        if (form == 0) {
            code.decode(part, literals, 0, literals.length);
        } else {
            decodeStreams(part, literals);
        }
        return literals;
    }

    private void decodeStreams(ZstdInput part, byte[] literals) {
        var sizes = new int[STREAMS];
        for (var stream = 0; stream < STREAMS - 1; stream++) {
            sizes[stream] = (int) part.next(2);
        }
        var each = (literals.length + STREAMS - 1) / STREAMS;
        if (each * (STREAMS - 1) > literals.length) {
            throw ZstdInput.malformed("literals for each stream");
        }
        for (var stream = 0; stream < STREAMS; stream++) {
            var isLast = stream == STREAMS - 1;
            var from = stream * each;
            code.decode(
                    part.part(isLast ? part.left() : sizes[stream]),
                    literals,
                    from,
                    isLast ? literals.length - from : each);
        }
    }
}
