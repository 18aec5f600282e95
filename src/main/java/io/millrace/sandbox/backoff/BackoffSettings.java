package io.millrace.sandbox.backoff;

import java.time.Duration;

/**
 * Bounds of the waits.
 *
 * @param pauseMin wait after the second time that a process had to be ended, when it is no longer than the longest
 * @param pauseMax longest wait after a process had to be ended; zero: nobody waits for anything
 * @param resetAfter what has not happened again for so long is forgotten
 * @param failuresPerSecond calls a second of a program whose calls fail one after the other; zero: as many as there are
 */
public record BackoffSettings(Duration pauseMin, Duration pauseMax, Duration resetAfter, int failuresPerSecond) {
    /** Nobody waits. */
    public static final BackoffSettings OFF =
            new BackoffSettings(Duration.ofMillis(1), Duration.ZERO, Duration.ofSeconds(1), 0);

    public BackoffSettings {
        if (!pauseMin.isPositive() || pauseMax.isNegative() || !resetAfter.isPositive() || failuresPerSecond < 0) {
            throw new IllegalArgumentException("expected waits that are not negative, but found " + pauseMin + ", "
                    + pauseMax + ", " + resetAfter + " and " + failuresPerSecond);
        }
    }
}
