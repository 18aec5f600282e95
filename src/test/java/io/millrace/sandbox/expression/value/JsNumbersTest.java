package io.millrace.sandbox.expression.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsNumbersTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ""          | 0
            " 7 "       | 7
            "0b11"      | 3
            "1_000"     | NaN
            "1,5"       | NaN
            "12px"      | NaN
            "+5."       | 5
            []          | 0
            ["8"]       | 8
            [1,2]       | NaN
            {}          | NaN
            null        | 0
            false       | 0
            """)
    void readsNumbersAsJavaScriptDoes(String value, Double number) {
        assertThat(JsNumbers.of(Json.trusted(value))).isEqualTo(number);
    }
}
