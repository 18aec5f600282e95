package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import java.text.Normalizer;
import org.junit.jupiter.api.Test;

@HostileKind("text formats")
class CombiningMarksTest {
    private static final int PAIRS = 2_000_000;

    @Test
    void removesMarksOfATextAndOfItsLetters() {
        assertThat(CombiningMarks.removed("A\u0308 \u00e9 \u01d8 \u0344x \u00b4", Normalizer.Form.NFD))
                .isEqualTo("A e u x \u00b4");
        assertThat(CombiningMarks.removed("\u00b4\uff9e\ufb01", Normalizer.Form.NFKD))
                .isEqualTo(" fi");
    }

    @Test
    void removesALongSequenceOfMarksInTheTimeOfAScan() {
        var text = "a" + "\u0301\u0316".repeat(PAIRS);

        assertThat(CombiningMarks.removed(text, Normalizer.Form.NFD)).isEqualTo("a");
    }

    @Test
    void countsTheSquareOfASequence() {
        assertThat(CombiningMarks.comparisons("a\u0301e\u0301\u0316".repeat(10)))
                .isEqualTo(40);
        assertThat(CombiningMarks.comparisons("a" + "\u0301".repeat(1_000))).isEqualTo(500_500);
        assertThat(CombiningMarks.comparisons("\ud800\uddfd\ud800\uddfd")).isEqualTo(3);
        assertThat(CombiningMarks.comparisons("\u4e00\u00e9\ud83d\ude00" + "z".repeat(1_000)))
                .isZero();
    }

    /** The mark U+0345 is ordered behind almost all others. */
    @Test
    void countsEachCharacterThatNormalizationMoves() {
        for (var code = 0; code <= Character.MAX_CODE_POINT; code++) {
            if (Character.getType(code) == Character.SURROGATE) {
                continue;
            }
            var text = Character.toString(code);
            var alone = "a\u0345" + Normalizer.normalize(text, Normalizer.Form.NFKD);
            if (!Normalizer.normalize("a\u0345" + text, Normalizer.Form.NFKD).equals(alone)) {
                assertThat(CombiningMarks.comparisons(text))
                        .as("character %x", code)
                        .isEqualTo(1);
            }
        }
    }
}
