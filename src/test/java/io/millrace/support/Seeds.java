package io.millrace.support;

import java.util.Random;
import java.util.function.Consumer;

/**
 * Repeats a check with many random sources. The seeds are the same in every run, so that failures are reproducible; the
 * message of a failure names the seed, and {@link #one} repeats it alone.
 */
public final class Seeds {
    private Seeds() {}

    /** Checks with the seeds from 1 to a count. */
    public static void each(int count, Consumer<Random> check) {
        for (var seed = 1L; seed <= count; seed++) {
            one(seed, check);
        }
    }

    /** Checks with one seed. */
    public static void one(long seed, Consumer<Random> check) {
        try {
            check.accept(new Random(seed));
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("with seed " + seed + ": " + failure.getMessage(), failure);
        }
    }

    /** A text of up to this length, of the given characters. */
    public static String text(Random random, String characters, int lengthMax) {
        var text = new StringBuilder();
        for (var length = random.nextInt(lengthMax + 1); length > 0; length--) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
        return text.toString();
    }
}
