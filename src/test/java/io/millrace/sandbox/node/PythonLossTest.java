package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.node.call.NodeResult;
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
                "[range(2), {'a': 1}.keys(), {'a': 1}.items(), __import__('collections').deque([1])] |"
                        + " [[0,1],[\"a\"],[[\"a\",1]],[1]] |",
                "[__import__('fractions').Fraction(1, 3), __import__('datetime').timedelta(hours=36)] |"
                        + " [\"1/3\",129600.0] |",
                "[__import__('pathlib').PurePosixPath('/a/b'), '\\u00fc\\ud83d\\ude00'] | [\"/a/b\",\"ü😀\"] |",
                "{__import__('datetime').date(2026, 2, 28): 1, __import__('decimal').Decimal('1.10'): 2} |"
                        + " {\"2026-02-28\":1,\"1.10\":2} |",
                "{__import__('enum').Enum('C', {'RED': 'r'}).RED: 1, __import__('enum').IntEnum('N', 'ONE').ONE: 2} |"
                        + " {\"r\":1,\"1\":2} |",
                "[True, -0.0, 5e-324, 1e22, 0.1 + 0.2, 2**64] | [true,-0.0,4.9E-324,1.0E22,0.30000000000000004,18446744073709551616] |",
                "{'__proto__': {'a': 1}, '': None, ' ': ''} | {\"__proto__\":{\"a\":1},\"\":null,\" \":\"\"} |",
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
    void keepsTheDigitsOfEveryWholeNumber() {
        for (var digits : new int[] {999, 1_000, 1_001, 4_000}) {
            var result = bench.run("return -(10**" + digits + " - 1)");

            assertThat(((NodeResult.Returned) result).value().asText()).isEqualTo("-" + "9".repeat(digits));
        }
        var longer = bench.run("return 16**9999");
        assertThat(((NodeResult.Returned) longer).value().asText()).isEqualTo("0x1" + "0".repeat(9_999));
        assertThat(longer.printed().standardError()).contains("output: a whole number of more than 999 digits");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "raise ValueError() | ValueError",
                "raise ValueError(None) | None",
                "raise SystemExit(3) | 3",
                "class E(Exception):\\n  def __str__(self): return 1 / 0\\nraise E('x') | E",
                "class E(Exception):\\n  def __str__(self): return None\\nraise E('x') | E",
                "raise ExceptionGroup('both', [ValueError('a'), TypeError('b')]) | both (2 sub-exceptions)",
                "return object() | the output of the code is no JSON: it holds a value of type object",
                "return {(1, 2): 3} | the output of the code is no JSON: it holds a key of type tuple",
                "return (x for x in [1]) | the output of the code is no JSON: it holds a value of type generator",
                "return 3 + 4j | the output of the code is no JSON: it holds a value of type complex",
                "a = []\\na.append(a)\\nreturn a | The output cannot be used: Too deep: expected at most 200 levels",
            })
    void reportsWhyCodeFailed_andContinues(String code, String message) {
        var result = bench.run(code.replace("\\n", "\n"));

        assertThat(result)
                .isInstanceOfSatisfying(
                        NodeResult.Threw.class,
                        threw -> assertThat(threw.error().path("message").asText())
                                .isEqualTo(message));
        assertThat(((NodeResult.Returned) bench.run("return 1")).value()).hasToString("1");
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
