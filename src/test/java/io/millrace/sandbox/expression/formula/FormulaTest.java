package io.millrace.sandbox.expression.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.TestScope;
import io.millrace.sandbox.expression.parser.References;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.support.TableRows;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The formula language of contract flows-and-engine 32. {@code formulas.tsv} begins with the vectors of 32.3; a row holds a
 * formula as a JSON text and what it gives as JSON, or an exclamation mark and the words of its failure.
 */
class FormulaTest {
    private final TestScope scope = new TestScope()
            .step("s", """
                    {'n':7,'zero':0,'text':'Hello World','list':[3,1,2],'epoch':1700000000000,
                     'people':[{'name':'C','age':41},{'name':'B','age':25},{'name':'A'}]}""")
            .step("x", "{'a':7}")
            .connection("mail", "{'key':'s3cret'}")
            .variable("CODE", "s3cret");

    static Stream<Arguments> rows() throws IOException {
        return TableRows.of(FormulaTest.class, "formulas.tsv");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void answersTheTable(String formula, String expected) {
        if (expected.startsWith("!")) {
            assertThatThrownBy(() -> scope.resolve(wrapped(formula)))
                    .asInstanceOf(type(ExpressionFailure.class))
                    .satisfies(failure -> {
                        assertThat(failure.errorName()).isEqualTo("FormulaEvaluationError");
                        assertThat(failure.getMessage())
                                .isEqualTo(Json.pretty(Json.object().put("message", expected.substring(1))));
                    });
        } else {
            assertThat(JsText.json(scope.resolve(wrapped(formula)))).isEqualTo(expected);
        }
    }

    private static String wrapped(String formula) {
        return "ap-formula-v1::{" + formula + "}::ap-formula-v1";
    }

    @Test
    void keepsTheTextAroundFormulas() {
        assertThat(resolve("x " + wrapped("add(1; 2)") + " y {{x['output']['a']}}"))
                .isEqualTo("x 3 y 7");
        assertThat(resolve(wrapped("1") + wrapped("[1,2]") + wrapped("{{none}}") + wrapped("[{\"a\":1}]")))
                .isEqualTo("1[1,2][{\"a\":1}]");
        assertThat(resolve("{{s['output']['list']}}: " + wrapped("to_number(\"x\")")))
                .isEqualTo("[3,1,2]: NaN");
    }

    @Test
    void keepsTheType_whenNothingButSpaceIsAroundTheFormula() {
        assertThat(scope.resolve(" \n" + wrapped("add(1; 2)") + " ")).isEqualTo(JsNumbers.node(3));
        assertThat(scope.resolve(wrapped("{{s['output']['list']}}"))).isEqualTo(TestScope.json("[3,1,2]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ap-formula-v1::{add(1;2)}", "ap-formula-v1::{add(1;2)}::ap-formula-v2", "}::ap-formula-v1"})
    void leavesTheText_whenTheWrapperIsNotClosed(String text) {
        assertThat(resolve(text + "{{x['output']['a']}}")).isEqualTo(text + "7");
    }

    @Test
    void endsAFormulaAtTheFirstClosingMark() {
        assertThat(resolve(wrapped("1") + "}::ap-formula-v1")).isEqualTo("1}::ap-formula-v1");
    }

    @Test
    void redactsAFormulaThatUsesASecret() {
        // given
        var input = Json.object()
                .put("typed", wrapped("uppercase({{connections['mail']['key']}})"))
                .put("mixed", "Code: " + wrapped("last_n({{variables['CODE']}}; 2)") + " " + wrapped("1+1"))
                .put("open", wrapped("1+1"));
        var template = InputTemplate.compile(input);

        // when
        var both = template.resolveBoth(scope);

        // then
        assertThat(both.value()).isEqualTo(TestScope.json("{'typed':'S3CRET','mixed':'Code: et 2','open':2}"));
        assertThat(both.censored())
                .isEqualTo(TestScope.json("{'typed':'**REDACTED**','mixed':'Code: **REDACTED** 2','open':2}"));
        assertThat(template.needs().connectionNames()).containsExactly("mail");
        assertThat(template.needs().variableNames()).containsExactly("CODE");
    }

    @Test
    void failsForTheConnection_whenATokenOfTheFormulaNamesAMissingOne() {
        assertThatThrownBy(() -> resolve(wrapped("if(0; {{connections['gone']}}; 1)")))
                .asInstanceOf(type(ExpressionFailure.class))
                .extracting(ExpressionFailure::errorName)
                .isEqualTo("ConnectionNotFound");
    }

    @Test
    void usesWhatWasEvaluatedElsewhere_forATokenBeyondTheGrammar() {
        scope.evaluatedElsewhere("new Set([1]).size", "41");
        assertThat(resolve(wrapped("{{new Set([1]).size}} + 1"))).isEqualTo("42");
    }

    @Test
    void findsTheTokenOfAFormula_forMigrationAndDuplication() {
        // given a formula that is a single token, and ends with a brace
        var text = wrapped("{{step_1['x']}}") + wrapped("combine({{step_1.y}};{{connections['a']}})");

        // when, then
        assertThat(References.appendOutput(text, "step_1"::equals))
                .isEqualTo(wrapped("{{step_1['output']['x']}}")
                        + wrapped("combine({{step_1['output'].y}};{{connections['a']}})"));
        assertThat(References.connectionNames(wrapped("{{connections['a']}}"))).containsExactly("a");
        assertThat(InputTemplate.compile(TextNode.valueOf(text)).references()).containsExactly("step_1");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 20_000})
    void refusesDeepNesting_withoutExhaustingTheStack(int depth) {
        assertThatThrownBy(() -> resolve(wrapped("(".repeat(depth) + "1" + ")".repeat(depth))))
                .isInstanceOf(ExpressionFailure.class);
        assertThatThrownBy(() -> resolve(wrapped("-".repeat(depth) + "1"))).isInstanceOf(ExpressionFailure.class);
        assertThatThrownBy(() -> resolve(wrapped("trim(".repeat(depth) + "1" + ")".repeat(depth))))
                .isInstanceOf(ExpressionFailure.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replace(replace(replace(replace({{s['output']['long']}};\"a\";{{s['output']['long']}});\"a\";"
                        + "{{s['output']['long']}});\"a\";{{s['output']['long']}});\"a\";{{s['output']['long']}})",
                "sort_list(split_text_to_list(replace({{s['output']['long']}};\"\";{{s['output']['long']}});\"\");x)"
            })
    void endsWork_thatIsMoreThanOneStepMayHave(String formula) {
        scope.step("s", Json.object().put("long", "a".repeat(10_000)));
        assertThatThrownBy(() -> resolve(wrapped(formula)))
                .asInstanceOf(type(ExpressionFailure.class))
                .extracting(ExpressionFailure::errorName)
                .isEqualTo(ExpressionFailure.LIMIT_EXCEEDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'\\", "'", "\"'", "{{", "[{", "trim(x; ", "{{x}};", "(", "a'"})
    void readsAnyFormulaInReasonableTime(String piece) {
        // given a formula of the maximum length
        var formula = wrapped("trim(" + piece.repeat(90_000 / piece.length()));

        // when, then it compiles, and gives a value or a failure
        var template = InputTemplate.compile(TextNode.valueOf(formula));
        assertThat(template.isConstant()).isFalse();
    }

    private String resolve(String text) {
        JsonNode value = scope.resolve(text);
        return JsText.inserted(value);
    }
}
