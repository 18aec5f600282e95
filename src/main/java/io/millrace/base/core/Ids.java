package io.millrace.base.core;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * Identifiers and other random texts: characters drawn uniformly from the 62 letters and digits
 * (contract admin-api 1.4).
 */
public final class Ids {
    /** Length of every identifier (seed, Resources). */
    public static final int LENGTH = 21;

    /** What every identifier matches (seed, Resources). */
    public static final Pattern PATTERN = Pattern.compile("^[0-9a-zA-Z]{21}$");

    /** Milliseconds until the year 2081; then identifiers begin with zeros again. */
    private static final int TIME_LENGTH = 7;

    private static final char[] ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".toCharArray();

    /** Largest multiple of 62 that fits a byte: above it a byte is thrown away, so that no character is favoured. */
    private static final int FAIR_LIMIT = 248;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    /** A fresh identifier of 21 characters. */
    public static String next() {
        return random(LENGTH);
    }

    /**
     * A fresh identifier whose first seven characters tell the time: rows that are written together then stand together in
     * the index of their ids, however large that has become. The other fourteen are 83 random bits.
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

    /** A fresh text of so many letters and digits; safe to use as a secret from 43 characters (256 bits) on. */
    public static String random(int length) {
        var text = new char[length];
        var bytes = new byte[length + length / 4 + 4];
        var filled = 0;
        while (filled < length) {
            RANDOM.nextBytes(bytes);
            for (var i = 0; i < bytes.length && filled < length; i++) {
                var value = bytes[i] & 0xff;
                if (value < FAIR_LIMIT) {
                    text[filled++] = ALPHABET[value % ALPHABET.length];
                }
            }
        }
        return new String(text);
    }

    /** Whether the text has the form of an identifier. */
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
