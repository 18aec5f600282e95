package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNameLabelTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Daily orders | daily-orders
        Ünïcödé Größe | unicode-gro-e
        a/b\\c:d*e?f | a-b-c-d-e-f
        ../../etc/passwd | etc-passwd
        .hidden.json | hidden-json
        -rf | rf
        100 % sure! | 100-sure
        con | con-
        LPT1 | lpt1-
        console | console
        the quick brown fox jumps over the lazy dog | the-quick-brown-fox-jumps-over
        a name that is cut at a hyphen-here | a-name-that-is-cut-at-a-hyphen
        日本語 | ''
        日本語 v2 | v2
        '   ' | ''
        """)
    void isReadableAndValidOnEveryFileSystem(String displayName, String label) {
        assertThat(FileNameLabel.of(displayName)).isEqualTo(label);
    }

    @Test
    void hasOnlyAFewCharacters_forAnyName() {
        var random = new Random(42);
        for (var times = 0; times < 5_000; times++) {
            var name = new StringBuilder();
            random.ints(random.nextInt(80), 0, 0x3000).forEach(name::appendCodePoint);

            assertThat(FileNameLabel.of(name.toString())).as(name.toString()).matches("|[a-z0-9](?:[a-z0-9-]{0,30})");
        }
    }

    @Test
    void isBeforeTheId_whichStaysRecognizable() {
        assertThat(StateFiles.fileName("Daily orders", "a.b/c")).isEqualTo("daily-orders.a%2Eb%2Fc.json");
        assertThat(StateFiles.fileName("日本語", "abc")).isEqualTo("abc.json");
        assertThat(StateFiles.fileName("x".repeat(500), "€".repeat(500)).length())
                .isLessThanOrEqualTo(240);
    }
}
