package io.millrace.engine.run.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.Adler32;
import java.util.zip.Deflater;

/**
 * Compresses texts that are nearly equal to a preset dictionary, in a sixth of the time of zlib's deflater (decision
 * 0013): the dictionary is indexed once and not for each text, and a text is matched against it from one difference to
 * the next. The output is zlib's format (RFC 1950) with one block of fixed codes (RFC 1951, 3.2.6), so that any
 * inflater reads it. Text with few matches is passed to zlib's deflater. Confined to one event loop.
 */
final class PresetDeflater {
    /** Shortest match that saves bits in comparison to literals. */
    private static final int MATCH_MIN = 4;

    private static final int MATCH_MAX = 258;
    private static final int DISTANCE_MAX = 32 * 1024;

    /** Length of a match from which the text is assumed to continue in the dictionary at the same offset. */
    private static final int IN_STEP = 12;

    /** Number of literals from which a dynamic code is shorter. */
    static final int LITERALS_MAX = 384;

    /** With a dictionary this level finds more matches than the fastest one, and so finishes earlier. */
    private static final int ZLIB_LEVEL = 3;

    /** A method of 8 with a window of 32 KB, a preset dictionary, a quick algorithm, and a multiple of 31. */
    private static final int HEADER = 0x787d;

    private static final int HEADER_BYTES = 6;

    private static final int TABLE_BITS = 12;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG_INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** Codes as they are written, least significant bit first; the number of their bits is stored above them. */
    private static final int[] LITERAL_CODES = literalCodes();

    private static final int[] LENGTH_CODES = lengthCodes();
    private static final int BITS_SHIFT = 24;
    private static final int CODE_MASK = (1 << BITS_SHIFT) - 1;

    private final Deflater zlib = new Deflater(ZLIB_LEVEL);
    private final Adler32 checksum = new Adler32();

    /**
     * Last position of each four-byte hash in a text, counted from {@link #base} on: so nothing need be cleared between
     * texts.
     */
    private final int[] ownPlaces = new int[1 << TABLE_BITS];

    private int base = 1;
    private byte[] packed = new byte[4 * 1024];
    private int length;
    private long bits;
    private int bitCount;
    private int literals;

    static final class Preset {
        private final byte[] bytes;
        private final int checksum;

        /** Last position of each four-byte hash in the dictionary, plus 1; 0 for none. */
        private final short[] places;

        private final int shift;

        /** @param bytes fewer than 32,768 */
        Preset(byte[] bytes) {
            this.bytes = bytes;
            var adler = new Adler32();
            adler.update(bytes);
            this.checksum = (int) adler.getValue();
            var tableBits = Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(bytes.length), 4, TABLE_BITS);
            this.places = new short[1 << tableBits];
            this.shift = Integer.SIZE - tableBits;
            for (var place = 0; place + MATCH_MIN <= bytes.length; place++) {
                places[hash(word(bytes, place), shift)] = (short) (place + 1);
            }
        }

        byte[] bytes() {
            return bytes;
        }

        /** A position of these four bytes, or -1. */
        private int placeOf(int word) {
            var place = places[hash(word, shift)] - 1;
            return place >= 0 && word(bytes, place) == word ? place : -1;
        }

        private boolean hasAt(int place, int word) {
            return place + MATCH_MIN <= bytes.length && word(bytes, place) == word;
        }
    }

    /** The compressed text; null when it would not be shorter. */
    byte[] pack(byte[] text, Preset preset) {
        prepare(text.length);
        if (!fill(text, preset)) {
            return packByZlib(text, preset);
        }
        writeCode(LITERAL_CODES[256]);
        flushBits();
        checksum.reset();
        checksum.update(text);
        BIG_INTS.set(packed, length, (int) checksum.getValue());
        length += Integer.BYTES;
        return length < text.length ? Arrays.copyOf(packed, length) : null;
    }

    private byte[] packByZlib(byte[] text, Preset preset) {
        zlib.reset();
        zlib.setDictionary(preset.bytes);
        zlib.setInput(text);
        zlib.finish();
        var written = zlib.deflate(packed, 0, text.length);
        return zlib.finished() ? Arrays.copyOf(packed, written) : null;
    }

    private void prepare(int textLength) {
        var most = textLength + textLength / 8 + 64;
        if (packed.length < most) {
            packed = new byte[most];
        }
        if (base > Integer.MAX_VALUE - 2 * textLength) {
            Arrays.fill(ownPlaces, 0);
            base = 1;
        }
        literals = 0;
        bits = 0;
        bitCount = 0;
    }

    /** Writes header and text; false when there are too many literals. */
    private boolean fill(byte[] text, Preset preset) {
        BIG_INTS.set(packed, 0, HEADER << 16);
        BIG_INTS.set(packed, 2, preset.checksum);
        length = HEADER_BYTES;
        // The last block, of fixed codes.
        write(0b011, 3);
        var common = preset.bytes;
        var next = 0;
        var at = 0;
        while (at + MATCH_MIN <= text.length && literals <= LITERALS_MAX) {
            var word = word(text, at);
            var inStep = preset.hasAt(next, word);
            var place = inStep ? next : preset.placeOf(word);
            var matched = place < 0 ? 0 : matched(text, at, common, place);
            var distance = common.length - place + at;
            if (!inStep) {
                var own = ownPlace(word, at, text);
                var ownMatched = own < 0 ? 0 : matched(text, at, text, own);
                if (ownMatched >= matched) {
                    matched = ownMatched;
                    distance = at - own;
                    place = -1;
                }
            }
            if (matched == 0 || distance > DISTANCE_MAX) {
                writeLiteral(text[at++]);
                continue;
            }
            writeMatch(matched, distance);
            at += matched;
            if (inStep || place >= 0 && matched >= IN_STEP) {
                next = place + matched;
            }
        }
        base += text.length;
        if (literals > LITERALS_MAX) {
            return false;
        }
        while (at < text.length) {
            writeLiteral(text[at++]);
        }
        return true;
    }

    /** Earlier position of these four bytes in this text, or -1; records the current position. */
    private int ownPlace(int word, int at, byte[] text) {
        var slot = hash(word, Integer.SIZE - TABLE_BITS);
        var place = ownPlaces[slot] - base;
        ownPlaces[slot] = base + at;
        return place >= 0 && word(text, place) == word ? place : -1;
    }

    private static int matched(byte[] text, int at, byte[] other, int place) {
        var most = Math.min(text.length - at, other.length - place);
        var differs = Arrays.mismatch(text, at, at + most, other, place, place + most);
        return differs < 0 ? most : differs;
    }

    private void writeLiteral(byte literal) {
        literals++;
        writeCode(LITERAL_CODES[literal & 0xff]);
    }

    private void writeMatch(int matched, int distance) {
        var left = matched;
        while (left > 0) {
            // The rest after a longest match must not be shorter than the shortest match.
            var part = left <= MATCH_MAX ? left : Math.min(MATCH_MAX, left - MATCH_MIN);
            writeCode(LENGTH_CODES[part]);
            writeDistance(distance);
            left -= part;
        }
    }

    private void writeDistance(int distance) {
        var value = distance - 1;
        if (value < 4) {
            write(reversed(value, 5), 5);
            return;
        }
        var magnitude = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value);
        var extra = magnitude - 1;
        write(reversed(2 * magnitude + (value >> extra & 1), 5), 5);
        write(value & (1 << extra) - 1, extra);
    }

    private void writeCode(int code) {
        write(code & CODE_MASK, code >>> BITS_SHIFT);
    }

    private void write(int value, int count) {
        bits |= (long) value << bitCount;
        bitCount += count;
        if (bitCount >= Integer.SIZE) {
            INTS.set(packed, length, (int) bits);
            length += Integer.BYTES;
            bits >>>= Integer.SIZE;
            bitCount -= Integer.SIZE;
        }
    }

    private void flushBits() {
        for (; bitCount > 0; bitCount -= Byte.SIZE) {
            packed[length++] = (byte) bits;
            bits >>>= Byte.SIZE;
        }
    }

    void end() {
        zlib.end();
    }

    private static int word(byte[] bytes, int place) {
        return (int) INTS.get(bytes, place);
    }

    private static int hash(int word, int shift) {
        return word * 0x9e3779b1 >>> shift;
    }

    private static int[] literalCodes() {
        var codes = new int[257];
        for (var literal = 0; literal < 256; literal++) {
            codes[literal] = literal < 144 ? code(0x30 + literal, 8) : code(0x190 + literal - 144, 9);
        }
        codes[256] = code(0, 7);
        return codes;
    }

    /** Codes 257 to 285 with their extra bits, for lengths of 3 to 258. */
    private static int[] lengthCodes() {
        var codes = new int[MATCH_MAX + 1];
        var first = 3;
        for (var symbol = 257; symbol < 285; symbol++) {
            var extra = symbol < 265 ? 0 : (symbol - 261) / 4;
            for (var value = 0; value < 1 << extra && first + value < MATCH_MAX; value++) {
                codes[first + value] = withExtra(lengthCode(symbol), value, extra);
            }
            first += 1 << extra;
        }
        codes[MATCH_MAX] = lengthCode(285);
        return codes;
    }

    private static int lengthCode(int symbol) {
        return symbol < 280 ? code(symbol - 256, 7) : code(0xc0 + symbol - 280, 8);
    }

    private static int withExtra(int code, int value, int extra) {
        var count = code >>> BITS_SHIFT;
        return code & CODE_MASK | value << count | count + extra << BITS_SHIFT;
    }

    private static int code(int value, int count) {
        return reversed(value, count) | count << BITS_SHIFT;
    }

    private static int reversed(int value, int count) {
        return Integer.reverse(value) >>> Integer.SIZE - count;
    }
}
