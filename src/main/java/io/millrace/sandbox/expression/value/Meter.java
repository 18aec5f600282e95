package io.millrace.sandbox.expression.value;

/**
 * Counts the cost of an evaluation, and ends it at the limit. One meter serves all tokens of one input, so many expensive tokens
 * cost no more than one.
 */
public final class Meter {
    /** Units for one input: blocks the event loop for about 100 ms in the worst case. */
    public static final long FUEL = 2_000_000;

    /** Longest text that may be produced, in characters. */
    public static final long TEXT_LENGTH_MAX = 32L << 20;

    public static final long LIST_SIZE_MAX = 1_000_000;

    /** Deepest nesting of evaluations, calls and conversions; keeps the thread's stack safe. */
    static final int DEPTH_MAX = 300;

    private static final int CHARACTERS_PER_UNIT = 16;
    private static final int UNITS_PER_ELEMENT = 4;

    private long left;
    private int depth;

    public Meter(long fuel) {
        this.left = fuel;
    }

    /** A meter for conversions of data that was checked on input. */
    public static Meter generous() {
        return new Meter(Long.MAX_VALUE);
    }

    public void spend(long units) {
        left -= units;
        if (left < 0) {
            throw exceeded("the expression needs more work than one step may have");
        }
    }

    public void scan(long characters) {
        spend(1 + characters / CHARACTERS_PER_UNIT);
    }

    /** Meters the comparison of a key with an equal one; that of a short key costs no more than finding the property. */
    public void key(String key) {
        spend(key.length() / CHARACTERS_PER_UNIT);
    }

    /** Meters a text of this number of characters, before it is made. */
    public void text(long characters) {
        if (characters > TEXT_LENGTH_MAX) {
            throw tooLong();
        }
        scan(characters);
    }

    public void grown(CharSequence text, long by) {
        if (text.length() > TEXT_LENGTH_MAX) {
            text(text.length());
        }
        scan(by);
    }

    /** Meters a list of this number of elements, before it is made. */
    public void list(long elements) {
        if (elements > LIST_SIZE_MAX) {
            throw exceeded("the expression makes a list longer than " + LIST_SIZE_MAX + " elements");
        }
        spend(1 + elements * UNITS_PER_ELEMENT);
    }

    public void element() {
        spend(UNITS_PER_ELEMENT);
    }

    public void enter() {
        if (++depth > DEPTH_MAX) {
            throw exceeded("the expression nests deeper than " + DEPTH_MAX);
        }
        spend(1);
    }

    public void leave() {
        depth--;
    }

    /** Resets the depth after an evaluation that ended by an exception. */
    public void surface() {
        depth = 0;
    }

    public static ExpressionFailure tooLong() {
        return exceeded("the expression makes a text longer than " + TEXT_LENGTH_MAX + " characters");
    }

    private static ExpressionFailure exceeded(String message) {
        return new ExpressionFailure(ExpressionFailure.LIMIT_EXCEEDED, message);
    }
}
