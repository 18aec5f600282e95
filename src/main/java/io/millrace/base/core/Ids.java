package io.millrace.base.core;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.regex.Pattern;

/** Identifiers and other random texts: characters drawn uniformly from 0-9, A-Z and a-z (contract admin-api 1.4). */
public final class Ids {
    /** Length of every identifier (seed, Resources). */
    public static final int LENGTH = 21;

    /** Pattern of every identifier (seed, Resources). */
    public static final Pattern PATTERN = Pattern.compile("^[0-9a-zA-Z]{21}$");

    /** Milliseconds until the year 2081; then identifiers begin with zeros again. */
    private static final int TIME_LENGTH = 7;

    private static final char[] ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".toCharArray();

    /** Six bits encode 64 values: two of them are discarded, so that all characters are equally likely. */
    private static final int CHARACTER_BITS = 6;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    public static String next() {
        return random(LENGTH);
    }

    /**
     * A fresh identifier whose first seven characters encode the time: rows that are written together are then adjacent in
     * the index of their ids, at any size of it. The other fourteen are 83 random bits.
     */
    public static String nextAt(Instant time) {
        var text = new char[TIME_LENGTH];
        var left = Math.max(0, time.toEpochMilli());
        for (var i = TIME_LENGTH - 1; i >= 0; i--) {
            text[i] = ALPHABET[Math.toIntExact(left % ALPHABET.length)];
            left /= ALPHABET.length;
        }
        return new String(text) + random(LENGTH - TIME_LENGTH);
    }

    /** The identifier that bytes spell: the same for the same bytes. They should be random, and at least 16. */
    public static String spelling(byte[] bytes) {
        var number = new BigInteger(1, bytes);
        var id = new char[LENGTH];
        for (var i = 0; i < LENGTH; i++) {
            var parts = number.divideAndRemainder(BigInteger.valueOf(ALPHABET.length));
            id[i] = ALPHABET[parts[1].intValue()];
            number = parts[0];
        }
        return new String(id);
    }

    /** A random text of the given length from 0-9, A-Z and a-z; safe to use as a secret from 43 characters (256 bits) on. */
    public static String random(int length) {
        var text = new char[length];
        // An identifier needs 126 bits and a reserve for discarded ones; the source makes 160 at a time, each time at
        // the same
        // cost.
        var bytes = new byte[length - length / 16];
        var filled = 0;
        while (filled < length) {
            RANDOM.nextBytes(bytes);
            var bits = 0;
            var bitCount = 0;
            for (var next = 0; next < bytes.length && filled < length; next++) {
                bits = bits << Byte.SIZE | bytes[next] & 0xff;
                bitCount += Byte.SIZE;
                while (bitCount >= CHARACTER_BITS && filled < length) {
                    bitCount -= CHARACTER_BITS;
                    var value = bits >>> bitCount & (1 << CHARACTER_BITS) - 1;
                    if (value < ALPHABET.length) {
                        text[filled++] = ALPHABET[value];
                    }
                }
            }
        }
        return new String(text);
    }

    public static boolean isId(String text) {
        if (text == null || text.length() != LENGTH) {
            return false;
        }
        for (var i = 0; i < LENGTH; i++) {
            var c = text.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')) {
                return false;
            }
        }
        return true;
    }
}
