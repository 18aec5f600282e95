package io.millrace.sandbox.expression.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MachineSpeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class SubstringsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final int CASES = 3_000;

    private final Random random = new Random(7);

    /** Texts of few characters with repetitions, long enough for the two-way search. */
    private String text(int length) {
        var alphabet = 1 + random.nextInt(3);
        var text = new StringBuilder();
        while (text.length() < length) {
            if (text.isEmpty() || random.nextInt(4) == 0) {
                text.append((char) ('a' + random.nextInt(alphabet)));
            } else {
                var start = random.nextInt(text.length());
                text.append(text, start, start + random.nextInt(text.length() - start + 1));
            }
        }
        return text.substring(0, length);
    }

    private String wantedIn(String text) {
        var start = random.nextInt(text.length() / 2);
        var part = text.substring(start, start + 40 + random.nextInt(text.length() / 2 - 40));
        return switch (random.nextInt(4)) {
            case 0 -> part + "b";
            case 1 -> "b" + part;
            case 2 -> part.substring(0, part.length() / 2) + "c" + part.substring(part.length() / 2);
            default -> part;
        };
    }

    @Test
    void findsTheSamePositionsAsAString() {
        for (var number = 0; number < CASES; number++) {
            var text = text(1_700 + random.nextInt(600));
            var wanted = wantedIn(text);
            var position = random.nextInt(text.length());

            assertThat(Substrings.first(text, wanted, 0)).isEqualTo(text.indexOf(wanted));
            assertThat(Substrings.first(text, wanted, position)).isEqualTo(text.indexOf(wanted, position));
            assertThat(Substrings.last(text, wanted, position)).isEqualTo(text.lastIndexOf(wanted, position));
            assertThat(Substrings.last(text, wanted, text.length())).isEqualTo(text.lastIndexOf(wanted));
            assertThat(Substrings.replaced(text, wanted, "-")).isEqualTo(text.replace(wanted, "-"));
            assertThat(positions(text, wanted)).isEqualTo(positionsOfString(text, wanted));
        }
    }

    private static List<Integer> positions(String text, String wanted) {
        var search = new Substrings.Search(wanted);
        var positions = new ArrayList<Integer>();
        for (var at = search.first(text, 0); at >= 0; at = search.first(text, at + 1)) {
            positions.add(at);
        }
        return positions;
    }

    private static List<Integer> positionsOfString(String text, String wanted) {
        var positions = new ArrayList<Integer>();
        for (var at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
            positions.add(at);
        }
        return positions;
    }

    @Test
    void findsPairsOfSurrogates_asUnits() {
        var text = "😀é".repeat(2_000);
        var wanted = "😀é".repeat(40).substring(1);

        assertThat(Substrings.last(text, wanted, text.length())).isEqualTo(text.lastIndexOf(wanted));
        assertThat(Substrings.last(text, wanted, 901)).isEqualTo(text.lastIndexOf(wanted, 901));
    }

    /** A search that copied the text for each position would copy some terabytes. */
    @Test
    void needsTimeInProportionToTheText_forManyPositions() {
        var line = "x".repeat(99) + "\n";
        var text = line.repeat(80_000);

        Assertions.assertTimeoutPreemptively(MachineSpeed.deadline(DEADLINE), () -> {
            assertThat(Substrings.replaced(text, "\n", "-")).hasSameSizeAs(text);
            assertThat(Substrings.replaced(text, line, "-")).hasSize(80_000);
            assertThat(Substrings.replaced(text, line.substring(60), "-")).hasSize(80_000 * 61);
        });
    }

    @Test
    void needsNoMoreTime_forRepetitiveTexts() {
        var text = "a".repeat(4_000_000);
        var half = "a".repeat(2_000_000);

        Assertions.assertTimeoutPreemptively(MachineSpeed.deadline(DEADLINE), () -> {
            assertThat(Substrings.first(text, half + "b", 0)).isEqualTo(-1);
            assertThat(Substrings.first(text, "b" + half, 0)).isEqualTo(-1);
            assertThat(Substrings.first(text, half.substring(1) + "b" + half, 0))
                    .isEqualTo(-1);
            assertThat(Substrings.last(text, "b" + half, text.length())).isEqualTo(-1);
            assertThat(Substrings.contains(text, half)).isTrue();
        });
    }
}
