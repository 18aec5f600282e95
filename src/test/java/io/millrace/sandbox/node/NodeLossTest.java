package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.support.LossyValues;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of Node.js processes about returned values that JSON cannot hold: the same as those of the server's own
 * engine.
 */
class NodeLossTest {
    @AutoClose
    private static ProgramBench bench = new ProgramBench(ProgramBench.Language.NODE, NodeBench.limits(1, 1));

    static List<LossyValues.Example> values() {
        return LossyValues.all();
    }

    @ParameterizedTest
    @MethodSource("values")
    void logsWhatJsonCannotHold(LossyValues.Example example) {
        var result = bench.run(example.body());

        assertThat(result).isInstanceOf(NodeResult.Returned.class);
        assertThat(result.printed().standardError().stripTrailing()).isEqualTo(example.log());
    }

    @Test
    void returnsTheDeepestValueThatIsRead_andFailsBeyondIt() {
        assertThat(((NodeResult.Returned) bench.run(nested(200))).value().toString())
                .isEqualTo("[".repeat(200) + "]".repeat(200));
        for (var levels : new int[] {201, 250, 3000}) {
            assertThat(bench.run(nested(levels)))
                    .isInstanceOfSatisfying(
                            NodeResult.Threw.class,
                            threw -> assertThat(threw.error().path("message").asText())
                                    .isEqualTo("The output cannot be used: Too deep: expected at most 200 levels"));
        }
    }

    private static String nested(int levels) {
        return "let d = []; for (let i = 1; i < " + levels + "; i++) d = [d]; return d;";
    }
}
