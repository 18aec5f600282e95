package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MovableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Request limit of a client per time window. */
final class RequestWindowsTest {
    private static final Duration LENGTH = Duration.ofMinutes(1);

    private final MovableClock clock = new MovableClock();
    private final RequestWindows windows = new RequestWindows(clock);

    @Test
    void keepsOneWaiting_untilItsWindowEnds() {
        assertThat(windows.count("a", 1, LENGTH)).isZero();
        assertThat(windows.count("a", 1, LENGTH)).isEqualTo(60);
        assertThat(windows.count("b", 1, LENGTH)).isZero();

        clock.advance(LENGTH);

        assertThat(windows.count("a", 1, LENGTH)).isZero();
    }

    @Test
    void delaysNoCallerLonger_whenTheClockWasSetBack() {
        clock.advance(Duration.ofHours(1));
        windows.count("a", 1, LENGTH);

        clock.advance(Duration.ofHours(-1));

        assertThat(windows.count("a", 1, LENGTH)).isZero();
        assertThat(windows.count("a", 1, LENGTH)).isEqualTo(60);
    }
}
