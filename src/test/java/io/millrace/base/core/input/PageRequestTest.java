package io.millrace.base.core.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageRequestTest {
    private static final Instant KEY = Instant.parse("2026-03-05T12:00:00.123456Z");

    private static Optional<Instant> second(int offset) {
        return Optional.of(KEY.plusSeconds(offset));
    }

    private static PageRequest page(boolean backwards) {
        return new PageRequest(10, new PageKey(KEY, "run1"), backwards);
    }

    @ParameterizedTest
    @CsvSource({"7, 0", "0, 0", "-7, -7"})
    void lowersTheUpperBoundToTheKey_forwards(int bound, int expected) {
        assertThat(page(false).upperBound(second(bound))).isEqualTo(second(expected));
        assertThat(page(false).lowerBound(second(bound))).isEqualTo(second(bound));
    }

    @ParameterizedTest
    @CsvSource({"-7, 0", "0, 0", "7, 7"})
    void raisesTheLowerBoundToTheKey_backwards(int bound, int expected) {
        assertThat(page(true).lowerBound(second(bound))).isEqualTo(second(expected));
        assertThat(page(true).upperBound(second(bound))).isEqualTo(second(bound));
    }

    @Test
    void leavesBoundsAsTheyAre_onTheFirstPage() {
        // Given
        var first = new PageRequest(10, null, false);

        // Then
        assertThat(first.upperBound(second(7))).isEqualTo(second(7));
        assertThat(first.lowerBound(second(-7))).isEqualTo(second(-7));
    }

    @Test
    void addsNoBound_whereNoneIsGiven() {
        assertThat(page(false).upperBound(Optional.empty())).isEmpty();
        assertThat(page(true).lowerBound(Optional.empty())).isEmpty();
    }
}
