package io.millrace.account.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OneTimeCodeTest {
    private static final Instant START = Instant.parse("2026-03-09T12:00:00Z");
    private static final Duration VALIDITY = Duration.ofMinutes(10);

    private int drawn;

    @Test
    void sendsTheSameCodeWhileOneIsPending_andAnotherAfterwards() {
        var first = asked(OneTimeCode.none(START), START);
        var again = asked(first, START.plusSeconds(599));
        var later = asked(again, START.plusSeconds(600));

        assertThat(again.code()).isEqualTo(first.code());
        assertThat(again.expires()).isEqualTo(first.expires());
        assertThat(later.code()).isNotEqualTo(first.code());
    }

    @Test
    void takesACodeOnce_andOnlyWhileItIsGood() {
        var code = asked(OneTimeCode.none(START), START);

        assertThat(code.matches("code 1", START.plusSeconds(599))).isTrue();
        assertThat(code.matches("code 1", START.plusSeconds(600))).isFalse();
        assertThat(code.matches("code 2", START)).isFalse();
        assertThat(code.used().matches("code 1", START)).isFalse();
    }

    @Test
    void discardsTheCode_atTheFifthWrongTry() {
        var code = failed(asked(OneTimeCode.none(START), START), 4);

        assertThat(code.matches("code 1", START)).isTrue();
        assertThat(code.failed(START).matches("code 1", START)).isFalse();
    }

    @Test
    void countsWrongTriesOverAllCodesOfAnHour() {
        var code = OneTimeCode.none(START);
        for (var round = 0; round < 5; round++) {
            code = failed(asked(code, START), 5);
        }

        assertThat(code.asked(START.plusSeconds(3599), VALIDITY, this::draw)).isEmpty();
        assertThat(code.asked(START.plusSeconds(3600), VALIDITY, this::draw)).isPresent();
    }

    @Test
    void sendsTenLettersInAnHour_andLeavesThePendingCodeGood() {
        var code = OneTimeCode.none(START);
        for (var letter = 0; letter < 10; letter++) {
            code = asked(code, START);
        }

        assertThat(code.asked(START, VALIDITY, this::draw)).isEmpty();
        assertThat(code.matches("code 1", START)).isTrue();
    }

    private OneTimeCode asked(OneTimeCode code, Instant now) {
        return code.asked(now, VALIDITY, this::draw).orElseThrow();
    }

    private static OneTimeCode failed(OneTimeCode code, int times) {
        return IntStream.range(0, times).boxed().reduce(code, (kept, _) -> kept.failed(START), (a, _) -> a);
    }

    private String draw() {
        return "code " + ++drawn;
    }
}
