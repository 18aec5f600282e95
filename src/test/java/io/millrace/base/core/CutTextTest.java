package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CutTextTest {
    @Test
    void keepsATextOfTheLimit_andCutsALongerOneWithItsMark() {
        assertThat(CutText.of("abc", 3)).isEqualTo("abc");
        assertThat(CutText.of("abcd", 3)).isEqualTo("abc");
        assertThat(CutText.marked("abc", 3, "…")).isEqualTo("abc");
        assertThat(CutText.marked("abcd", 3, "…")).isEqualTo("abc…");
    }

    @Test
    void leavesOutACharacterOfTwoUnitsThatDoesNotFit() {
        assertThat(CutText.marked("ab😀", 3, "…")).isEqualTo("ab…");
        assertThat(CutText.marked("ab😀c", 4, "…")).isEqualTo("ab😀…");
        assertThat(CutText.of("😀", 1)).isEmpty();
    }
}
