package io.millrace.base.core.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Column names are made distinct. */
class DistinctNamesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Note,Note            | Note,Note_2
        Note,Note,Note       | Note,Note_2,Note_3
        Note_2,Note,Note     | Note_2,Note,Note_3
        Note,Note_2,Note     | Note,Note_2,Note_3
        Note,note,NOTE       | Note,note,NOTE
        a,b,a,b,a            | a,b,a_2,b_2,a_3
        a_2,a_2,a,a          | a_2,a_2_2,a,a_3
        größe,größe          | größe,größe_2
        __proto__,__proto__  | __proto__,__proto___2
        """)
    void numbersRepeatedNames(String names, String distinct) {
        assertThat(DistinctNames.of(List.of(names.split(",")))).containsExactly(distinct.split(","));
    }

    @Test
    void keepsAsManyNamesAsThereAreColumns() {
        var names = DistinctNames.of(Collections.nCopies(2_000, ""));

        assertThat(new HashSet<>(names)).hasSize(2_000);
        assertThat(names).startsWith("", "_2").endsWith("_2000");
    }
}
