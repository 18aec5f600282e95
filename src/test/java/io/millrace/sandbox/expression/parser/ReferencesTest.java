package io.millrace.sandbox.expression.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferencesTest {
    @Test
    void renamesWholeWordsInsideTokens() {
        // given the vector of contract 34.1
        var text = "{{step_1['output']['item']}} step_1 {{step_10.x}} {{step_2}}";

        // when
        var renamed = References.rename(text, Map.of("step_1", "step_3", "step_2", "step_4"));

        // then
        assertThat(renamed).isEqualTo("{{step_3['output']['item']}} step_1 {{step_10.x}} {{step_4}}");
    }

    @Test
    void renamesAllAtOnce_whenNamesChangePlaces() {
        assertThat(References.rename("{{step_1 + step_2}}", Map.of("step_1", "step_2", "step_2", "step_1")))
                .isEqualTo("{{step_2 + step_1}}");
    }

    @Test
    void readsLongListsAndTextsWithoutRecursion() {
        // given
        var list = "{{connections['a'" + ",'b'".repeat(100_000) + "]}}";
        var text = "'" + "a\\'".repeat(1_000) + "'";

        // then
        assertThat(References.connectionNames(list)).hasSize(100_001);
        assertThat(References.isConnectionList(list.substring(2, list.length() - 2)))
                .isTrue();
        assertThat(References.appendOutput("{{" + text + " + trigger}}", "trigger"::equals))
                .isEqualTo("{{" + text + " + trigger['output']}}");
    }

    @Test
    void collectsConnectionsInBracketForm() {
        assertThat(References.connectionNames("{{connections['a']}} {{ connections[\"b\"].x }} {{connections['c','d']}}"
                        + " {{step_1['connections']['e']}}"))
                .containsExactly("a", "b", "c", "d");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{{step_1 +}} | true",
                "{{step_1.a}} {{'open + trigger}} | true",
                "{{'open + other}} step_1 | false",
                "{{new Set(step_1).size}} | false",
                "{{step_1.a}} | false",
            })
    void tellsWhenAReferenceCannotBeRewritten(String text, boolean hidden) {
        assertThat(References.hidesReference(text, name -> name.equals("trigger") || name.equals("step_1")))
                .isEqualTo(hidden);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {{connections['old']}}                | {{connections['new']}}
            {{connections["old"]}}                | {{connections['new']}}
            {{ connections[ 'old' ]['key'] }}     | {{connections[ 'new' ]['key']}}
            {{connections['other','old']}}        | {{connections['other','new']}}
            {{connections['older']}} old          | {{connections['older']}} old
            {{step_1['old']}} connections['old']  | {{step_1['old']}} connections['old']
            """)
    void renamesConnections(String before, String after) {
        assertThat(References.renameConnection(before, "old", "new")).isEqualTo(after);
    }

    @Test
    void renamesConnections_toNamesWithQuotesAndDollars() {
        assertThat(References.renameConnection("{{connections['old']}}", "old", "o'$1"))
                .isEqualTo("{{connections[\"o'$1\"]}}");
    }

    @Test
    void dropsTokensThatBeginWithAConnection() {
        assertThat(References.withoutConnections(
                        "a{{connections.x}}b{{ connections['y'].z }}c{{connectionsOf.x}}{{step_1.connections.a}}"))
                .isEqualTo("abc{{connectionsOf.x}}{{step_1.connections.a}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{{trigger.body}} trigger          | {{trigger['output'].body}} trigger",
                "{{ step_1['a'] + step_12.b }}     | {{ step_1['output']['a'] + step_12['output'].b }}",
                "{{x.step_1}}                      | {{x.step_1}}",
                "{{ {step_1: 1, a: step_1} }}      | {{ {step_1: 1, a: step_1['output']} }}",
                "{{ {step_1} }}                    | {{ {step_1: step_1['output']} }}",
                "{{[1].map(step_1 => step_1 + 1)}} | {{[1].map(step_1 => step_1 + 1)}}",
                "{{`${step_1.a}`}}                 | {{`${step_1['output'].a}`}}",
                "{{step_1?.a ?? trigger}}          | {{step_1['output']?.a ?? trigger['output']}}",
                "{{new Set(step_1.a).size}}        | {{new Set(step_1['output'].a).size}}",
                "{{step_1 +}}                      | {{step_1 +}}",
                "{{other.a}}                       | {{other.a}}",
                "{{other?.step_1}}                 | {{other?.step_1}}",
                "{{other['step_1']}}               | {{other['step_1']}}",
                "{{other[step_1]}}                 | {{other[step_1['output']]}}",
                "{{ ({step_1: step_2}) }}          | {{ ({step_1: step_2['output']}) }}",
                "{{ ({a, step_1}) }}               | {{ ({a, step_1: step_1['output']}) }}",
                "{{x ? step_1 : step_2}}           | {{x ? step_1['output'] : step_2['output']}}",
                "{{list.map((a, step_1) => step_1.a + step_2)}} | {{list.map((a, step_1) => step_1.a + step_2['output'])}}",
                "{{[...step_1]}}                   | {{[...step_1['output']]}}",
                "{{`a step_1 ${step_1.x} b`}}      | {{`a step_1 ${step_1['output'].x} b`}}",
                "{{step_1x + xstep_1}}             | {{step_1x + xstep_1}}",
                "{{'a \\' step_1' + step_1}}       | {{'a \\' step_1' + step_1['output']}}",
                "{{step_1 + 'open}}                | {{step_1 + 'open}}",
                "{{new F((step_1, x) => { let step_2 = step_1; return step_3 })}} | {{new F((step_1, x) => { let step_2 = step_1; return step_3['output'] })}}",
                "{{(function step_9(step_1) { return step_1 + step_2 })(1)}} | {{(function step_9(step_1) { return step_1 + step_2['output'] })(1)}}",
            })
    void appendsOutputToFreeReferences(String before, String after) {
        assertThat(References.appendOutput(before, name -> name.equals("trigger") || name.matches("step_\\d+")))
                .isEqualTo(after);
    }
}
