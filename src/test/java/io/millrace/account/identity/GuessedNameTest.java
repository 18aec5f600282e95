package io.millrace.account.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GuessedNameTest {
    @ParameterizedTest
    @CsvSource({
        "ada.lovelace+news@example.com, Ada",
        "x@example.com, User",
        "j-r.tolkien@example.com, Tolkien",
        "12345@example.com, User",
        "émile@example.com, Émile"
    })
    void guessesAName(String email, String name) {
        assertThat(GuessedName.of(email)).isEqualTo(name);
    }
}
