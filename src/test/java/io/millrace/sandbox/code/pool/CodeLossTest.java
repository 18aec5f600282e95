package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.code.CodeResult;
import io.millrace.support.LossyValues;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of the built-in engine about returned values that JSON cannot represent. */
class CodeLossTest {
    @AutoClose
    private static CodeBench bench = new CodeBench(256L << 20, 1, 1);

    static List<LossyValues.Example> values() {
        return LossyValues.all();
    }

    @ParameterizedTest
    @MethodSource("values")
    void logsWhatJsonCannotHold(LossyValues.Example example) {
        var result = bench.run("export const code = async () => {" + example.body() + "};");

        assertThat(result).isInstanceOf(CodeResult.Returned.class);
        assertThat(result.log().standardError()).isEqualTo(example.log());
        assertThat(result.log().standardOutput()).isEmpty();
    }

    @Test
    void callsAnAccessorOnce() {
        assertThat(bench.output("let n = 0; return {get n() { return ++n; }};")).hasToString("{\"n\":1}");
    }

    @Test
    void returnsTheValue_whenAProxyRefusesToBeRead() {
        var body = "return new Proxy({a: 1}, {getPrototypeOf() { throw new Error('no'); }});";

        assertThat(bench.output(body)).hasToString("{\"a\":1}");
    }

    @Test
    void returnsTheDeepestValueThatIsRead_andFailsBeyondIt() {
        assertThat(bench.output(nested(200)).toString()).isEqualTo("[".repeat(200) + "]".repeat(200));
        for (var levels : new int[] {201, 250}) {
            assertThat(bench.thrown(nested(levels)).message())
                    .isEqualTo("The output cannot be used: Too deep: expected at most 200 levels");
        }
    }

    private static String nested(int levels) {
        return "let d = []; for (let i = 1; i < " + levels + "; i++) d = [d]; return d;";
    }
}
