package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.support.CodeOracle;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Two hundred snippets give the results of plain Node.js in the Node.js processes of the server, except those that the documentation lists. */
class NodeCorpusTest {
    @AutoClose
    private static ProgramBench bench = new ProgramBench(ProgramBench.Language.NODE, NodeBench.limits(1, 1));

    @Test
    void givesTheResultsOfPlainNode_exceptDocumentedOnes() throws IOException, InterruptedException {
        var expected = CodeOracle.expected();

        var found = (NodeResult.Returned) bench.run(CodeOracle.corpus());

        var differences = CodeOracle.differences(expected, found.value());
        assertThat(differences.keySet())
                .as(() -> String.join(
                        "\n",
                        differences.entrySet().stream().map(String::valueOf).toList()))
                .isEqualTo(CodeOracle.documented("Processes of Node.js"));
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("io.millrace.support.ErrorSamples#ALL")
    void reportsTheThrownValue(String source, String message) {
        assertThat(bench.run(source))
                .isInstanceOfSatisfying(
                        NodeResult.Threw.class,
                        threw -> assertThat(threw.error().path("message").asText())
                                .isEqualTo(message));
    }
}
