package io.millrace.base.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MovableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AnswerDateTest {
    private final MovableClock clock = new MovableClock();
    private final AnswerDate date = new AnswerDate(clock);

    @Test
    void writesTheTimeAsHttpWantsIt() {
        assertThat(date.now()).hasToString("Mon, 09 Mar 2026 12:34:56 GMT");
    }

    @Test
    void isWrittenOnceASecond() {
        var first = date.now();
        clock.advance(Duration.ofMillis(210));
        assertThat(date.now()).isSameAs(first);
        clock.advance(Duration.ofMillis(1));
        assertThat(date.now()).hasToString("Mon, 09 Mar 2026 12:34:57 GMT");
    }
}
