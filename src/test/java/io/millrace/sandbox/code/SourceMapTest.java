package io.millrace.sandbox.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceMapTest {
    private static final String MARK = "//# sourceMappingURL=data:application/json;base64,";

    /** Line 2: column 0 is line 1, column 4 is line 3, column 8 is code of the compiler. Line 4: column 0 is line 2. */
    private static final SourceMap MAP = map(";AAAA,IAEA,I;;AADA");

    private static SourceMap map(String mappings) {
        var json = "{\"version\":3,\"sources\":[\"code.ts\"],\"mappings\":\"" + mappings + "\"}";
        return new SourceMap(Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest(name = "line {0}, column {1}")
    @CsvSource({"2,1,1", "2,4,1", "2,5,3", "2,8,3", "4,1,2", "4,99,2"})
    void findsTheLineOfTheNearestPositionBefore(int line, int column, int expected) {
        assertThat(MAP.of(line, column)).hasValue(expected);
    }

    @ParameterizedTest(name = "line {0}, column {1}")
    @CsvSource({"1,1", "2,0", "2,9", "3,1", "5,1", "0,0", "-1,-1"})
    void hasNoLineForCodeOfTheCompiler(int line, int column) {
        assertThat(MAP.of(line, column)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"!", "g", "gggggggggggA", "A!AA"})
    void hasNoLines_whenItCannotBeRead(String mappings) {
        assertThat(map(mappings).of(1, 1)).isEqualTo(OptionalInt.empty());
        assertThat(new SourceMap("AAAA").of(1, 1)).isEmpty();
    }

    @Test
    void isStoredAtTheEndOfItsProgram() {
        var program = CodeProgram.compiled(MAP.appendedTo("exports.code = 1;\n"), List.of());

        assertThat(program.javaScript()).isEqualTo("exports.code = 1;\n");
        assertThat(program.sourceMap()).contains(MAP);
        assertThat(CodeProgram.compiled(program.text(), List.of())).isEqualTo(program);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "exports.code = 1;", "exports.code = '" + MARK + "AAAA';\n", MARK + "AAAA\nexports.code = 1;"
            })
    void isOnlyReadAtTheEndOfAProgram(String text) {
        var program = CodeProgram.compiled(text, List.of());

        assertThat(program.javaScript()).isEqualTo(text);
        assertThat(program.sourceMap()).isEmpty();
        assertThat(program.text()).isEqualTo(text);
    }
}
