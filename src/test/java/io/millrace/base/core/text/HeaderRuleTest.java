package io.millrace.base.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeaderRuleTest {
    @Test
    void admitsOneLineOfLatin1AsAValue() {
        for (var c = 0; c <= Character.MAX_VALUE; c++) {
            var isText = c == '\t' || c >= 0x20 && c < 0x7f || c >= 0xa0 && c <= 0xff;
            assertThat(HeaderRule.isValue("a" + (char) c + "b"))
                    .as("character %x", c)
                    .isEqualTo(isText);
        }
        assertThat(HeaderRule.isValue("")).isTrue();
    }

    @Test
    void admitsATokenAsAName() {
        var marks = "!#$%&'*+-.^_`|~";
        for (var c = 0; c <= Character.MAX_VALUE; c++) {
            var isToken = c < 0x80 && (Character.isLetterOrDigit(c) || marks.indexOf(c) >= 0);
            assertThat(HeaderRule.isName("a" + (char) c + "b"))
                    .as("character %x", c)
                    .isEqualTo(isToken);
        }
        assertThat(HeaderRule.isName("")).isFalse();
        assertThat(IntStream.of(256, 257).mapToObj(length -> HeaderRule.isName("x".repeat(length))))
                .containsExactly(true, false);
    }
}
