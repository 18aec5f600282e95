package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.parser.References;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.support.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Property test: the parser and the evaluator throw only their own exceptions for any text. */
class ParserPropertyTest {
    private static final List<String> PIECES = List.of(
            "a",
            "step_1",
            ".",
            "?.",
            "[",
            "]",
            "(",
            ")",
            "{",
            "}",
            ",",
            ":",
            "?",
            "=>",
            "...",
            "`",
            "${",
            "'",
            "\"",
            "\\",
            "/",
            "/g",
            "1",
            "0x",
            "1e",
            "+",
            "-",
            "*",
            "**",
            "=",
            "==",
            "===",
            "!",
            "&&",
            "||",
            "??",
            "<",
            ">",
            "new ",
            "Date",
            "typeof ",
            "in ",
            "return ",
            "map",
            "output",
            " ",
            "\n",
            "//",
            "/*",
            "*/",
            "é",
            "\ud83d",
            "null",
            "undefined",
            "Math",
            "x",
            ";",
            "@",
            "connections",
            "variables",
            "({a})",
            "[b]",
            "replace",
            "'x'",
            "(?<n>");

    private final TestScope scope = new TestScope().step("step_1", "{'a':[1,'x',{'b':null}]}");

    @Test
    void readsAnyMixtureOfPieces() {
        Seeds.each(20_000, random -> {
            var source = new StringBuilder();
            for (var count = random.nextInt(31); count > 0; count--) {
                source.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            assertHarmless(source.toString());
        });
    }

    /** Half of the characters are ASCII; the others are from all of Unicode, including unpaired surrogates. */
    @Test
    void readsAnyText() {
        Seeds.each(5_000, random -> {
            var source = new StringBuilder();
            for (var count = random.nextInt(61); count > 0; count--) {
                source.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x1_0000));
            }
            assertHarmless(source.toString());
        });
    }

    private void assertHarmless(String source) {
        var expression = Expression.of(source);
        var value = expression.evaluate(new Evaluator(scope, new Meter(100_000)));
        assertThat(value).isNotNull();
        assertThat(value.isPojo()).isFalse();
        assertThat(References.appendOutput("{{" + source + "}}", name -> name.equals("step_1")))
                .isNotNull();
    }
}
