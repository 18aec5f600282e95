package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.CodeOracle;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Two hundred snippets have the same results in the built-in engine and in Node.js, except those in the documentation. */
class CodeCorpusTest {
    @AutoClose
    private static CodeBench bench = new CodeBench(256L << 20, 1, 1);

    @Test
    void givesTheResultsOfNode_exceptDocumentedOnes() throws IOException, InterruptedException {
        var expected = CodeOracle.expected();

        var found = bench.output(CodeOracle.corpus());

        var differences = CodeOracle.differences(expected, found);
        assertThat(expected).hasSizeGreaterThanOrEqualTo(200);
        assertThat(differences.keySet())
                .as(() -> String.join(
                        "\n",
                        differences.entrySet().stream().map(String::valueOf).toList()))
                .isEqualTo(CodeOracle.documented("The server's own engine"));
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("io.millrace.support.ErrorSamples#ALL")
    void saysWhatWasThrown(String source, String message) {
        assertThat(bench.thrown(source).message()).isEqualTo(message);
    }
}
