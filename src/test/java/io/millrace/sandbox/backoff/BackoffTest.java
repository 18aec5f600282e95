package io.millrace.sandbox.backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Of any clock: a wait that overflows would show. */
    private static final long NOW = Long.MAX_VALUE - Duration.ofMillis(10).toNanos();

    private final Backoff<String> backoff =
            new Backoff<>(new BackoffSettings(Duration.ofMillis(250), Duration.ofSeconds(2), MINUTE, 20));

    @Test
    void pausesAreNone_thenDouble_upToTheLongest() {
        var pauses = Stream.generate(() -> backoff.overran("bomb", NOW).toMillis())
                .limit(7)
                .toList();

        assertThat(pauses).isEqualTo(List.of(0L, 250L, 500L, 1_000L, 2_000L, 2_000L, 2_000L));
    }

    @Test
    void pausesStayTheLongest_howeverOftenItHappens() {
        for (var end = 0; end < 1_000; end++) {
            backoff.overran("bomb", NOW);
        }

        assertThat(backoff.overran("bomb", NOW)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aCallWaitsForTheRestOfThePause_andNoOtherProgramDoes() {
        overrun(2);

        assertThat(backoff.ofNew("bomb", after(100))).isEqualTo(Duration.ofMillis(150));
        assertThat(backoff.ofWaiting("bomb", after(249))).isEqualTo(Duration.ofMillis(1));
        assertThat(backoff.ofWaiting("bomb", after(250))).isEqualTo(Duration.ZERO);
        assertThat(backoff.ofNew("neighbour", after(0))).isEqualTo(Duration.ZERO);
        assertThat(backoff.isSuspected("bomb", after(250))).isTrue();
        assertThat(backoff.isSuspected("neighbour", after(0))).isFalse();
    }

    @Test
    void isForgotten_whenNothingHappensForLong() {
        overrun(5);

        assertThat(backoff.isSuspected("bomb", NOW + MINUTE.toNanos())).isTrue();
        assertThat(backoff.isSuspected("bomb", NOW + MINUTE.toNanos() + 1)).isFalse();
        assertThat(backoff.overran("bomb", NOW + MINUTE.toNanos() + 1)).isEqualTo(Duration.ZERO);
    }

    @Test
    void aSuccessInBetweenIsNoPardon() {
        overrun(2);

        backoff.succeeded("bomb");

        assertThat(backoff.overran("bomb", NOW)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void callsTakeTurns_whenAllBeforeThemHaveFailed() {
        fail(19);
        assertThat(waits(3)).isEqualTo(List.of(0L, 0L, 0L));

        fail(1);
        assertThat(waits(3)).isEqualTo(List.of(0L, 50L, 100L));

        backoff.succeeded("broken");
        assertThat(waits(3)).isEqualTo(List.of(0L, 0L, 0L));
    }

    @Test
    void noTurnIsLaterThanASecond_howeverManyCome() {
        fail(20);

        assertThat(waits(1_000)).allMatch(wait -> wait <= 1_000).contains(1_000L);
        assertThat(backoff.ofWaiting("broken", NOW)).isEqualTo(Duration.ZERO);
        assertThat(backoff.ofNew("neighbour", NOW)).isEqualTo(Duration.ZERO);
    }

    @Test
    void knowsABoundedNumberOfPrograms() {
        overrun(2);
        IntStream.range(0, 9_999).forEach(other -> backoff.overran("other " + other, NOW));
        assertThat(backoff.isSuspected("bomb", NOW)).isTrue();

        backoff.overran("one more", NOW);

        assertThat(backoff.isSuspected("bomb", NOW)).isFalse();
    }

    @Test
    void delaysNothing_whenItIsOff() {
        var off = new Backoff<String>(BackoffSettings.OFF);

        for (var end = 0; end < 30; end++) {
            assertThat(off.overran("bomb", NOW)).isEqualTo(Duration.ZERO);
            off.failed("bomb", NOW);
        }

        assertThat(off.ofNew("bomb", NOW)).isEqualTo(Duration.ZERO);
        assertThat(off.ofNew("bomb", NOW)).isEqualTo(Duration.ZERO);
        assertThat(off.isSuspected("bomb", NOW)).isFalse();
    }

    @Test
    void failuresAreFree_whenTheirNumberHasNoBound() {
        var unbounded = new Backoff<String>(new BackoffSettings(Duration.ofMillis(250), MINUTE, MINUTE, 0));
        for (var call = 0; call < 100; call++) {
            unbounded.failed("broken", NOW);
        }

        assertThat(unbounded.ofNew("broken", NOW)).isEqualTo(Duration.ZERO);
        assertThat(unbounded.ofNew("broken", NOW)).isEqualTo(Duration.ZERO);
    }

    @Test
    void refusesBoundsThatAreNone() {
        assertThatThrownBy(() -> new BackoffSettings(Duration.ofMillis(1), Duration.ofMillis(-1), MINUTE, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BackoffSettings(Duration.ofMillis(1), MINUTE, Duration.ZERO, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BackoffSettings(Duration.ofMillis(1), MINUTE, MINUTE, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static long after(long milliseconds) {
        return NOW + Duration.ofMillis(milliseconds).toNanos();
    }

    private void overrun(int times) {
        for (var end = 0; end < times; end++) {
            backoff.overran("bomb", NOW);
        }
    }

    private void fail(int times) {
        for (var call = 0; call < times; call++) {
            backoff.failed("broken", NOW);
        }
    }

    private List<Long> waits(int calls) {
        return Stream.generate(() -> backoff.ofNew("broken", NOW).toMillis())
                .limit(calls)
                .toList();
    }
}
