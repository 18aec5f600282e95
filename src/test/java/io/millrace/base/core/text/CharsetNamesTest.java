package io.millrace.base.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MachineSpeed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of charsets as senders write them. */
class CharsetNamesTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(strings = {"utf-8", " \"UTF-8\";", "'utf-8',\r\n", "\t utf-8 \" ; "})
    void readsANameInQuotes(String name) {
        assertThat(CharsetNames.find(name)).contains(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "'", ";utf-8", "\";,"})
    void findsNothing_whenTheNameIsUnknown(String name) {
        assertThat(CharsetNames.find(name)).isEmpty();
    }

    @Test
    void readsARunOfQuotesOnce() {
        var name = "x" + "'".repeat(1_000_000) + "x";

        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(CharsetNames.find(name)).isEmpty());
    }
}
