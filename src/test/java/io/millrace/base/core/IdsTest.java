package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class IdsTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00.123Z");

    @Test
    void startsWithTheTime_soThatLaterIdsComeLater() {
        var earlier = Ids.nextAt(TIME);
        var later = Ids.nextAt(TIME.plusMillis(1));
        var muchLater = Ids.nextAt(TIME.plusSeconds(1_000_000_000));

        assertThat(earlier).isLessThan(later);
        assertThat(later).isLessThan(muchLater);
        assertThat(earlier).matches(Ids.PATTERN);
    }

    @Test
    void differsWithinAMillisecond() {
        var one = Ids.nextAt(TIME);
        var other = Ids.nextAt(TIME);

        assertThat(one).isNotEqualTo(other);
        assertThat(one.substring(0, 7)).isEqualTo(other.substring(0, 7));
    }

    @Test
    void favoursNoCharacter() {
        // Given
        var counts = new int[128];

        // When
        for (var id = 0; id < 20_000; id++) {
            var text = Ids.next();
            assertThat(text).hasSize(Ids.LENGTH);
            text.chars().forEach(character -> counts[character]++);
        }

        // Then each of 62 characters occurs about 6,774 times, with a standard deviation of 82
        for (var character = 0; character < counts.length; character++) {
            if (Character.isLetterOrDigit(character)) {
                assertThat(counts[character]).isBetween(6_100, 7_450);
            } else {
                assertThat(counts[character]).isZero();
            }
        }
    }

    @Test
    void isAsLongAsItIsAskedToBe() {
        for (var length = 0; length < 200; length++) {
            assertThat(Ids.random(length)).matches("[0-9a-zA-Z]{" + length + "}");
        }
    }

    @Test
    void isAnId_outsideOfTheYearsThatItCanTell() {
        assertThat(Ids.nextAt(Instant.EPOCH.minusSeconds(1))).matches(Ids.PATTERN);
        assertThat(Ids.nextAt(Instant.parse("2300-01-01T00:00:00Z"))).matches(Ids.PATTERN);
    }

    @Test
    void spellsTheSameBytesTheSame_andOthersOtherwise() {
        var bytes = new byte[32];
        var others = new byte[32];
        others[31] = 1;

        assertThat(Ids.spelling(bytes)).isEqualTo("0".repeat(Ids.LENGTH));
        assertThat(Ids.spelling(others)).isEqualTo("1" + "0".repeat(Ids.LENGTH - 1));
    }
}
