package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of Python processes about returned values that JSON cannot hold. */
class PythonLossTest {
    @AutoClose
    private static ProgramBench bench = new ProgramBench(ProgramBench.Language.PYTHON, NodeBench.limits(1, 1));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "float('nan') | null | output: nan becomes null",
                "{'a': [float('-inf')]} | {\"a\":[null]} | output.a[]: -inf becomes null",
                "{1: 'a', '1': 'b'} | {\"1\":\"b\"} | output: two keys become \"1\", so one value hides the other",
                "[{None: 1, 'null': 2}] | [{\"null\":2}] | output[]: two keys become \"null\", so one value hides the other",
                "{True: 1, 'true': 2} | {\"true\":2} | output: two keys become \"true\", so one value hides the other",
                "8202522731445525542 | 8202522731445525542 |",
                "{1: 'a', '2': 'b'} | {\"1\":\"a\",\"2\":\"b\"} |",
                "(1, {2}) | [1,[2]] |",
            })
    void logsWhatJsonCannotHold(String value, String output, String message) {
        var result = bench.run("return " + value);

        assertThat(result)
                .isInstanceOfSatisfying(
                        NodeResult.Returned.class,
                        returned -> assertThat(returned.value()).hasToString(output));
        assertThat(result.printed().standardError().stripTrailing())
                .isEqualTo(message == null ? "" : "JSON cannot hold a value of the output: " + message);
    }

    @Test
    void returnsTheDeepestValueThatIsRead_andFailsBeyondIt() {
        assertThat(((NodeResult.Returned) bench.run(nested(200))).value().toString())
                .isEqualTo("[".repeat(200) + "]".repeat(200));
        for (var levels : new int[] {201, 250}) {
            assertThat(bench.run(nested(levels)))
                    .isInstanceOfSatisfying(
                            NodeResult.Threw.class,
                            threw -> assertThat(threw.error().path("message").asText())
                                    .isEqualTo("The output cannot be used: Too deep: expected at most 200 levels"));
        }
    }

    private static String nested(int levels) {
        return "d = []\nfor i in range(1, " + levels + "): d = [d]\nreturn d";
    }
}
