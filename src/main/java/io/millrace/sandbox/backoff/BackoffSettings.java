package io.millrace.sandbox.backoff;

import java.time.Duration;

/**
 * Bounds of the waits.
 *
 * @param pauseMin wait after the second kill of a process, at most {@code pauseMax}
 * @param pauseMax longest wait after the kill of a process; zero disables all waits
 * @param resetAfter time without a further event after which earlier ones are forgotten
 * @param failuresPerSecond calls per second of a program whose calls fail one after the other; zero for no limit
 */
public record BackoffSettings(Duration pauseMin, Duration pauseMax, Duration resetAfter, int failuresPerSecond) {
    public static final BackoffSettings OFF =
            new BackoffSettings(Duration.ofMillis(1), Duration.ZERO, Duration.ofSeconds(1), 0);

    public BackoffSettings {
        if (!pauseMin.isPositive() || pauseMax.isNegative() || !resetAfter.isPositive() || failuresPerSecond < 0) {
            throw new IllegalArgumentException("expected waits that are not negative, but found " + pauseMin + ", "
                    + pauseMax + ", " + resetAfter + " and " + failuresPerSecond);
        }
    }
}
