package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.LossyValues;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of Node.js processes about returned values that JSON cannot hold: those of the server's own engine. */
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
}
