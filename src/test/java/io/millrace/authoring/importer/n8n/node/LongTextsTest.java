package io.millrace.authoring.importer.n8n.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.support.MachineSpeed;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of an export are read in one pass, however long they are. */
class LongTextsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    static Stream<Arguments> replacements() {
        return Stream.of(
                Arguments.of("", List.of()),
                Arguments.of(",,", List.of()),
                Arguments.of("a", List.of("a")),
                Arguments.of("a,b ,,c,", List.of("a", "b ", "", "c")),
                Arguments.of("{{ [1, 2] }},b", List.of("{{ [1, 2] }}", "b")),
                Arguments.of("{{ f({a: 1, b: {c: 2}}, 3) }},b", List.of("{{ f({a: 1, b: {c: 2}}, 3) }}", "b")),
                Arguments.of("a {{ x }}, {{ y }}", List.of("a {{ x }}", " {{ y }}")),
                Arguments.of("{a,b}", List.of("{a", "b}")));
    }

    @ParameterizedTest
    @MethodSource("replacements")
    void splitsReplacementsOfAQueryOutsideOfExpressions(String text, List<String> expected) {
        assertThat(SqlNode.replacements(text)).isEqualTo(expected);
    }

    @Test
    void splitsManyReplacements() {
        var text = ",".repeat(5_000_000) + "x";

        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(SqlNode.replacements(text)).hasSize(5_000_001));
    }

    @Test
    void findsTheNodesThatCodeReads() {
        assertThat(CodeNodes.nodesIn("$('A b').all(); $node[ \"C\" ].json; $items(`D`, 0); $( 'It\\'s' ); $('E\n')"))
                .containsExactly("A b", "C", "D", "It\\'s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$(\"", "$node['", "$items(`$('", "$('\\"})
    void searchesNodesThatAreNotClosed(String repeated) {
        var code = repeated.repeat(1_000_000);

        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(CodeNodes.nodesIn(code))
                        .allSatisfy(name -> assertThat(name).hasSizeLessThan(301)));
    }

    @Test
    void rewritesManyArgumentsOfAModel() {
        // given
        var expression = "=" + "{{ $fromAI('a') }}".repeat(200_000);
        var arguments = new HashMap<String, ObjectNode>();

        // when, then
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(ModelArguments.rewritten(expression, "body", arguments))
                        .startsWith("={{ $json["));
        assertThat(arguments).containsOnlyKeys("a");
    }
}
