package io.millrace.piece.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.DoubleNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptValuesTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "1.0, 1",
        "0.1, 0.1",
        "123456789012345680000, 123456789012345680000",
        "1e21, 1e+21",
        "1.5e300, 1.5e+300",
        "-2.5e-9, -2.5e-9",
        "0.000001, 0.000001",
        "0.0000001, 1e-7",
    })
    void writesNumbersAsJavaScriptDoes(double number, String text) {
        assertThat(ScriptValues.text(DoubleNode.valueOf(number))).isEqualTo(text);
    }
}
