package io.millrace.engine.run.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LogTextTest {
    @Test
    void isMadeWhenItIsAskedFor_once() {
        // Given
        var made = new AtomicInteger();
        var log = new LogText(() -> Buffer.buffer("log " + made.incrementAndGet()), 5);

        // Then
        assertThat(made).hasValue(0);
        assertThat(log.bytes()).isEqualTo(5);
        assertThat(log.get()).hasToString("log 1");
        assertThat(log.get()).isSameAs(log.get());
        assertThat(made).hasValue(1);
    }

    @Test
    void isWhatWasMade() {
        var text = Buffer.buffer("{}");
        assertThat(LogText.of(text).get()).isSameAs(text);
        assertThat(LogText.of(text).bytes()).isEqualTo(2);
    }

    @Test
    void failsForEverybody_whenItCannotBeMade() {
        var log = new LogText(
                () -> {
                    throw new IllegalStateException("no text");
                },
                1);
        assertThatThrownBy(log::get).hasMessage("no text");
        assertThatThrownBy(log::get).hasMessage("no text");
    }
}
