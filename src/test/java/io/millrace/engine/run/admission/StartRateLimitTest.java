package io.millrace.engine.run.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Delay of a start under a start-rate limit. */
class StartRateLimitTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            1 | 100 | none        | 0 | 500 | 0
            1 | 100 | 500         | 0 | 500 | 100
            1 | 100 | 500         | 0 | 599 | 1
            1 | 100 | 500         | 0 | 600 | 0
            2 | 100 | 500         | 0 | 500 | 0
            2 | 100 | 500 550     | 0 | 560 | 40
            2 | 100 | 500 550     | 0 | 600 | 0
            2 | 100 | 550 500     | 1 | 620 | 30
            2 | 100 | 500 550     | 1 | 660 | 0
            2 | 100 | none        | 2 | 500 | 9223372036854775807
            2 | 100 | 500 510 520 | 0 | 530 | 80
            1 | 100 | 9000        | 0 | 500 | 100
            2 | 100 | 450 9000    | 0 | 500 | 50
            """)
    void waitsUntilEnoughHaveGrownOld(
            int starts, long periodMs, String earlier, int reserved, long now, long expected) {
        var window = new StartRateLimit.Window(new StartRateLimit(starts, periodMs));
        window.remember(
                earlier == null
                        ? List.of()
                        : Stream.of(earlier.split(" ")).map(Long::valueOf).toList());
        for (var i = 0; i < reserved; i++) {
            window.reserve();
        }

        assertThat(window.waitMs(now, window.startsMax())).isEqualTo(expected);
    }

    /** No window has more starts than allowed, and no start is delayed unnecessarily. */
    @Test
    void neverLetsMoreStart_andNeverKeepsOneWaitingWithoutNeed() {
        Seeds.each(500, random -> {
            var pace = new StartRateLimit(1 + random.nextInt(5), 1 + random.nextInt(50));
            var window = new StartRateLimit.Window(pace);
            var begun = new ArrayList<Long>();
            var reserved = 0;
            var now = 0L;
            for (var step = 0; step < 200; step++) {
                now += random.nextInt(12);
                var at = now;
                if (window.waitMs(now, window.startsMax()) == 0) {
                    window.reserve();
                    reserved++;
                } else {
                    var recent = begun.stream()
                            .filter(start -> start + pace.periodMs() > at)
                            .count();
                    assertThat(recent + reserved).isGreaterThanOrEqualTo(pace.starts());
                }
                if (reserved > 0 && random.nextBoolean()) {
                    reserved--;
                    if (random.nextInt(5) == 0) {
                        window.giveUp();
                    } else {
                        window.start(now);
                        begun.add(now);
                    }
                }
            }
            for (var i = pace.starts(); i < begun.size(); i++) {
                assertThat(begun.get(i) - begun.get(i - pace.starts())).isGreaterThanOrEqualTo(pace.periodMs());
            }
        });
    }

    @Test
    void waitsForMore_whenThePaceBecomesSlower() {
        var window = new StartRateLimit.Window(new StartRateLimit(3, 100));
        window.remember(List.of(500L, 510L, 520L));

        window.change(new StartRateLimit(1, 100));

        assertThat(window.waitMs(600, window.startsMax())).isEqualTo(20);
    }
}
