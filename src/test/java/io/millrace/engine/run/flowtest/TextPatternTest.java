package io.millrace.engine.run.flowtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TextPatternTest {
    @Test
    void agreesWithARegularExpression_forRandomPatterns() {
        var random = new Random(48);
        for (var round = 0; round < 20_000; round++) {
            var pattern = random(random, "ab*", 6);
            var text = random(random, "ab", 8);
            var expected = Pattern.matches(pattern.replace("*", ".*"), text);

            assertThat(TextPattern.matches(pattern, text))
                    .as(pattern + " on " + text)
                    .isEqualTo(expected);
        }
    }

    @Test
    void takesEveryOtherCharacterAsItself() {
        assertThat(TextPattern.matches("http://a.test/?x=[1]", "http://a.test/?x=[1]"))
                .isTrue();
        assertThat(TextPattern.matches("http://a.test/", "http://aXtest/")).isFalse();
        assertThat(TextPattern.matches("", "")).isTrue();
        assertThat(TextPattern.matches("", "a")).isFalse();
    }

    /** A regular expression of this form takes longer than any test may. */
    @Test
    void endsSoon_whenAPatternHasManyPlaceholders() {
        assertThat(TextPattern.matches("*a".repeat(500) + "b", "a".repeat(20_000)))
                .isFalse();
    }

    private static String random(Random random, String alphabet, int lengthMax) {
        var text = new StringBuilder();
        for (var length = random.nextInt(lengthMax + 1); length > 0; length--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
