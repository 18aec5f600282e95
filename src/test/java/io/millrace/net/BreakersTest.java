package io.millrace.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MovableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakersTest {
    private final MovableClock clock = new MovableClock();
    private final Breakers breakers = new Breakers(clock, 3, Duration.ofSeconds(30));

    @Test
    void leavesAloneWhoFailsTooOften_andNobodyElse() {
        // When
        for (var i = 0; i < 3; i++) {
            assertThat(breakers.allows("down")).isTrue();
            breakers.failed("down");
        }

        // Then
        assertThat(breakers.allows("down")).isFalse();
        assertThat(breakers.allows("up")).isTrue();
    }

    @Test
    void countsFailuresInARowOnly() {
        // Given
        breakers.failed("shaky");
        breakers.failed("shaky");
        breakers.succeeded("shaky");

        // When
        breakers.failed("shaky");
        breakers.failed("shaky");

        // Then
        assertThat(breakers.allows("shaky")).isTrue();
    }

    @Test
    void letsOneTryAfterThePause() {
        // Given
        for (var i = 0; i < 3; i++) {
            breakers.failed("down");
        }

        // When
        clock.advance(Duration.ofSeconds(31));

        // Then
        assertThat(breakers.allows("down")).isTrue();
        assertThat(breakers.allows("down")).isFalse();

        // When it goes well
        breakers.succeeded("down");

        // Then
        assertThat(breakers.allows("down")).isTrue();
        assertThat(breakers.allows("down")).isTrue();
    }

    @Test
    void staysClosed_whenTheTryFails() {
        // Given
        for (var i = 0; i < 3; i++) {
            breakers.failed("down");
        }
        clock.advance(Duration.ofSeconds(31));
        breakers.allows("down");

        // When
        breakers.failed("down");

        // Then
        assertThat(breakers.allows("down")).isFalse();
    }
}
