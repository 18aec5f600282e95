package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RestRuleTest {
    @ParameterizedTest
    @CsvSource({
        "300, 0, false", "301, 0, true", "350, 1000, false", "351, 1000, true", "3300, 60000, false", "3301, 60000, true"
    })
    void boundsProcessorTimeOfCode_bySomeAndAPartOfTheTime(long usedMs, long sinceMs, boolean isBroken) {
        assertThat(RestRule.OF_CODE.isBroken(usedMs, Duration.ofMillis(sinceMs))).isEqualTo(isBroken);
    }

    @ParameterizedTest
    @CsvSource({"1500, 0, false", "3000, 10000, false", "3001, 10000, true"})
    void letsLibrariesOfPiecesDoMore(long usedMs, long sinceMs, boolean isBroken) {
        assertThat(RestRule.OF_PIECES.isBroken(usedMs, Duration.ofMillis(sinceMs)))
                .isEqualTo(isBroken);
    }
}
