package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.support.TableRows;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every row of {@code javascript.tsv}: an expression and the JSON of what Node.js 20 makes of it, in the time zone UTC.
 * Undefined, null and expressions that throw give empty text, as in an input.
 */
class JavaScriptTest {
    private final TestScope scope = new TestScope().step("s", """
            {'n':7,'text':'Hello','list':[{'name':'A'},{'name':'B'}],
             'obj':{'key with space':1,'ünïcode':2,'1':'one'},'nothing':null}""");

    static Stream<Arguments> rows() throws IOException {
        return TableRows.of(JavaScriptTest.class, "javascript.tsv");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void answersAsNodeDoes(String source, String expected) {
        // given
        var expression = Expression.of(source);

        // when
        var value = expression.evaluate(new Evaluator(scope, new Meter(Meter.FUEL)));

        // then
        var seen = JsValues.isNullish(value) ? "\"\"" : JsText.json(value);
        assertThat(seen).isEqualTo(expected);
        assertThat(expression.isBeyondGrammar()).isFalse();
        assertThat(value.isPojo()).isFalse();
    }
}
