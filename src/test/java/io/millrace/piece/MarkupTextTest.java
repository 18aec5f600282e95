package io.millrace.piece;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkupTextTest {
    /** The lower case of the letter in Turkish pages has two characters. */
    @Test
    void readsAPageWithLettersThatGrowInLowerCase() {
        var letters = "\u0130".repeat(50);

        assertThat(MarkupText.reduce("<p>" + letters + "<SCRIPT>x</Script>Hata"))
                .isEqualTo(letters + " Hata");
        assertThat(MarkupText.reduce("<p>" + letters + "<TITLE>Hata</TITLE>"))
                .isEqualTo("Hata \u2014 " + letters + " Hata");
    }
}
