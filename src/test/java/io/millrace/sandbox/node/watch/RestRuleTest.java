package io.millrace.sandbox.node.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RestRuleTest {
    @ParameterizedTest
    @CsvSource({
        "300, 0, false",
        "301, 0, true",
        "310, 1000, false",
        "311, 1000, true",
        "900, 60000, false",
        "901, 60000, true"
    })
    void boundsProcessorTimeOfCode_bySomeAndAPartOfTheTime(long usedMs, long sinceMs, boolean isBroken) {
        assertThat(RestRule.OF_CODE.isBroken(usedMs, Duration.ofMillis(sinceMs)))
                .isEqualTo(isBroken);
    }

    @ParameterizedTest
    @CsvSource({"1500, 0, false", "2500, 10000, false", "2501, 10000, true"})
    void letsLibrariesOfPiecesDoMore(long usedMs, long sinceMs, boolean isBroken) {
        assertThat(RestRule.OF_PIECES.isBroken(usedMs, Duration.ofMillis(sinceMs)))
                .isEqualTo(isBroken);
    }
}
