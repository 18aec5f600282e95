package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsJson;
import io.millrace.sandbox.expression.value.Meter;
import java.math.BigInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation whose time grows with a text or a list is metered by its length. */
class MeteredWorkTest {
    private static final int LENGTH = 1_000_000;

    /** Less than a scan of the long text needs. */
    private static final long FUEL = 20_000;

    private static final TextNode BLANKS = TextNode.valueOf(" ".repeat(LENGTH));
    private static final TextNode EQUAL_BLANKS = TextNode.valueOf(" ".repeat(LENGTH));
    private static final ObjectNode KEYED = Json.object().put(" ".repeat(LENGTH), 0);
    private static final ArrayNode LIST = listOf(LENGTH);

    private final TestScope scope = new TestScope()
            .step("s", BLANKS)
            .step("t", EQUAL_BLANKS)
            .step("list", LIST)
            .step("o", KEYED)
            .step("big", Json.mapper().getNodeFactory().numberNode(BigInteger.TEN.pow(900)))
            .fuel(FUEL);

    private static ArrayNode listOf(int size) {
        var list = Json.array();
        for (var i = 0; i < size; i++) {
            list.add(0);
        }
        return list;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+s.output",
                "-s.output",
                "~s.output",
                "s.output - 1",
                "1 - s.output",
                "s.output * 1",
                "s.output / 1",
                "s.output % 1",
                "s.output ** 1",
                "s.output & 1",
                "s.output | 1",
                "s.output ^ 1",
                "s.output << 1",
                "s.output >> 1",
                "s.output >>> 1",
                "null + [s.output]",
                "true - [[s.output]]",
                "s.output < t.output",
                "s.output > t.output",
                "s.output <= t.output",
                "s.output >= t.output",
                "s.output == t.output",
                "s.output != t.output",
                "s.output === t.output",
                "s.output < 0",
                "0 < s.output",
                "s.output <= 0",
                "s.output == 0",
                "s.output in o.output",
                "o.output[s.output]",
                "o.output[s.output]()",
                "s.output[t.output]()",
                "Object.hasOwn(o.output, s.output)",
                "o.output.hasOwnProperty(s.output)",
                "flattenNestedKeys(o.output, [s.output])",
                "Number(s.output)",
                "isNaN(s.output)",
                "isFinite(s.output)",
                "parseInt(s.output)",
                "parseInt('1', s.output)",
                "parseFloat(s.output)",
                "Math.max(s.output)",
                "Math.floor(s.output)",
                "Math.pow(1, s.output)",
                "Math.atan2(1, s.output)",
                "String.fromCharCode(s.output)",
                "new Date(s.output)",
                "new Date(2020, s.output)",
                "Date.parse(s.output)",
                "Date.UTC(2020, s.output)",
                "Array.from({length: s.output})",
                "[1, 2].sort(() => s.output)",
                "[1].at(s.output)",
                "[1].slice(s.output)",
                "[1].indexOf(1, s.output)",
                "[1].lastIndexOf(1, s.output)",
                "[1].fill(1, s.output)",
                "[1].flat(s.output)",
                "(1).toFixed(s.output)",
                "(1).toString(s.output)",
                "'a'.charAt(s.output)",
                "'a'.charCodeAt(s.output)",
                "'a'.slice(s.output)",
                "'a'.substring(0, s.output)",
                "'a'.repeat(s.output)",
                "'a'.padEnd(s.output)",
                "'a'.indexOf('a', s.output)",
                "'a'.includes('a', s.output)",
                "'a'.split('a', s.output)",
                "'a'.replace('b', s.output)",
                "'a'.replaceAll('b', s.output)",
                "s.output.trim()",
                "s.output.trimStart()",
                "s.output.trimEnd()",
                "list.output.some(Boolean)",
                "list.output.every(isFinite)",
                "list.output.reduce(Math.max)",
                "(([first, ...rest]) => first)(list.output)",
                "flattenNestedKeys(1, list.output)",
                "Array(400).fill('a').some(a => big.output in [])"
            })
    void metersTheLengthOfATextOrAList(String expression) {
        assertThatThrownBy(() -> scope.evaluate(expression))
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo(ExpressionFailure.LIMIT_EXCEEDED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s.output",
                "list.output",
                "s.output.length",
                "s.output ? 1 : 2",
                "s.output || t.output",
                "s.output === 'short'",
                "s.output < 'short'",
                "s.output[5]",
                "list.output[5]",
                "list.output.at(-1)",
                "(([first, second]) => first)(list.output)",
                "o.output.name",
                "typeof s.output"
            })
    void passesALongTextOrListOnForNothing(String expression) {
        scope.fuel(100);

        assertThat(scope.evaluate(expression)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-{{s.output}}",
                "+{{s.output}}",
                "{{s.output}} + 1",
                "{{s.output}} - 1",
                "trim({{s.output}})",
                "starts_with({{s.output}}; {{t.output}})",
                "ends_with({{s.output}}; {{t.output}})",
                "to_number({{s.output}})",
                "add({{s.output}}; 1)",
                "round(1; {{s.output}})",
                "first_n(\"a\"; {{s.output}})",
                "item_at([1]; {{s.output}})",
                "add_days(\"2020-01-01\"; {{s.output}})",
                "sum([{{s.output}}]; \"0\") + sum([[{{s.output}}]]; \"0\")",
                "max_in_list([[{{s.output}}]]; \"0\")",
                "deduplicate([{{s.output}}]; \"a\")",
                "pluck([[1]]; {{s.output}})",
                "titlecase({{s.output}})",
                "format_date(\"2020-01-01\"; {{s.output}})",
                "convert_timezone(\"2020-01-01\"; {{s.output}})"
            })
    void metersTheLengthOfATextInAFormula(String formula) {
        assertThatThrownBy(() -> scope.resolve("ap-formula-v1::{" + formula + "}::ap-formula-v1"))
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo(ExpressionFailure.LIMIT_EXCEEDED));
    }

    @Test
    void leavesRoomForAnInputOfManyReferences() {
        // given
        var large = TextNode.valueOf("x".repeat(20_000_000));
        var input = Json.object().put("large", "{{large.output}}");
        for (var i = 0; i < 2_000; i++) {
            input.put("field" + i, "{{o.output.name}} {{o.output['other']}}");
        }
        scope.step("large", large).fuel(Meter.FUEL);

        // when
        var resolved = InputTemplate.compile(input).resolve(scope);

        // then
        assertThat(resolved.get("large")).isSameAs(large);
        assertThat(resolved).hasSize(2_001);
    }

    @Test
    void metersEachParameterOfACall() {
        // given
        var parameters = IntStream.range(0, 10_000).mapToObj(i -> "p" + i).collect(Collectors.joining(","));

        // when, then
        assertThatThrownBy(() -> scope.evaluate("[1, 2, 3].map((" + parameters + ") => 1)"))
                .isInstanceOf(ExpressionFailure.class);
        assertThatThrownBy(() -> scope.evaluate("((" + parameters + ") => [" + "p0,".repeat(50) + "])()"))
                .isInstanceOf(ExpressionFailure.class);
        assertThat(scope.evaluate("((" + parameters + ") => p0)(5)")).isEqualTo(IntNode.valueOf(5));
    }

    @Test
    void metersTheSourceOfARegularExpressionThatIsMade() {
        // given
        scope.fuel(1_500);

        // when, then
        for (var expression : new String[] {"RegExp('a'.repeat(1900))", "'b'.match('a'.repeat(1900))"}) {
            assertThatThrownBy(() -> scope.evaluate(expression)).isInstanceOf(ExpressionFailure.class);
        }
        assertThat(scope.evaluate("RegExp('a'.repeat(900)).flags")).isEqualTo(TextNode.valueOf(""));
    }

    @Test
    void refusesMoreFlagsThanThereAre() {
        assertThat(scope.evaluate("RegExp('a', 'gimsuyd').flags")).isEqualTo(TextNode.valueOf("gimsuyd"));
        assertThat(scope.evaluate("RegExp('a', 'gggggggg').flags")).isEqualTo(TextNode.valueOf(""));
    }

    @Test
    void metersPropertiesWithoutJsonText() {
        // given
        var object = Json.object();
        for (var i = 0; i < 1_000; i++) {
            object.set("key" + i, MissingNode.getInstance());
        }

        // when, then
        assertThatThrownBy(() -> JsJson.text(object, "", new Meter(900))).isInstanceOf(ExpressionFailure.class);
        assertThat(JsJson.text(object, "", new Meter(1_100))).isEqualTo("{}");
    }
}
