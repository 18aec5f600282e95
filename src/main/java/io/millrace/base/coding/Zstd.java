package io.millrace.base.coding;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.util.function.LongConsumer;

/**
 * Decompresses Zstandard data (RFC 8878) in memory, up to a size limit against decompression bombs. Frames that need a
 * dictionary are rejected. Entry point; the blocks of a frame are read by {@link ZstdFrame}. Pure.
 */
public final class Zstd {
    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPED = 0x184D2A50;
    private static final int SKIPPED_MASK = 0xFFFFFFF0;

    private static final int BLOCK_RAW = 0;
    private static final int BLOCK_OF_ONE = 1;
    private static final int BLOCK_PACKED = 2;

    private Zstd() {}

    /**
     * Unpacks all frames.
     *
     * @throws ApiException BODY_TOO_LARGE when they hold more than the bound, INVALID_INPUT when they are damaged
     */
    public static byte[] unpacked(byte[] data, int bytesMax) {
        return unpacked(data, bytesMax, _ -> {});
    }

    /** Unpacks all frames, and passes the memory that it allocates to a consumer, which may refuse it by an exception. */
    static byte[] unpacked(byte[] data, int bytesMax, LongConsumer taken) {
        try {
            var input = new ZstdInput(data);
            var output = new ZstdOutput(bytesMax, taken);
            do {
                frame(input, output);
            } while (input.left() > 0);
            return output.bytes();
        } catch (IllegalArgumentException malformed) {
            throw ApiException.of(ErrorCode.INVALID_INPUT, malformed.getMessage());
        }
    }

    private static void frame(ZstdInput input, ZstdOutput output) {
        var magic = (int) input.next(4);
        if ((magic & SKIPPED_MASK) == SKIPPED) {
            input.part((int) Math.min(Integer.MAX_VALUE, input.next(4)));
            return;
        }
        if (magic != MAGIC) {
            throw ZstdInput.malformed("a frame");
        }
        var head = input.next();
        var size = contentSize(head, input);
        output.beginFrame();
        blocks(input, output);
        if (size != -1 && size != output.frameLength()) {
            throw ZstdInput.malformed("the announced size");
        }
        if ((head & 4) != 0 && (int) input.next(4) != output.frameHash()) {
            throw ZstdInput.malformed("the announced checksum");
        }
    }

    /** Announced size of a frame; -1 for none. The window size is ignored, because the whole frame is kept. */
    private static long contentSize(int head, ZstdInput input) {
        if ((head & 8) != 0) {
            throw ZstdInput.malformed("a frame of a known kind");
        }
        var isOneSegment = (head & 0x20) != 0;
        if (!isOneSegment) {
            input.next();
        }
        var dictionaryBytes = new int[] {0, 1, 2, 4}[head & 3];
        if (input.next(dictionaryBytes) != 0) {
            throw ZstdInput.malformed("no dictionary");
        }
        return switch (head >> 6) {
            case 0 -> isOneSegment ? input.next() : -1;
            case 1 -> input.next(2) + 256;
            case 2 -> input.next(4);
            default -> input.next(8);
        };
    }

    private static void blocks(ZstdInput input, ZstdOutput output) {
        var frame = new ZstdFrame(output);
        boolean isLast;
        do {
            var head = (int) input.next(3);
            isLast = (head & 1) != 0;
            var size = head >> 3;
            if (size > ZstdFrame.BLOCK_MAX) {
                throw ZstdInput.malformed("blocks of at most " + ZstdFrame.BLOCK_MAX + " bytes");
            }
            switch (head >> 1 & 3) {
                case BLOCK_RAW -> output.put(input, size);
                case BLOCK_OF_ONE -> output.fill(input.next(), size);
                case BLOCK_PACKED -> frame.unpack(input.part(size));
                default -> throw ZstdInput.malformed("blocks of a known kind");
            }
        } while (!isLast);
    }
}
