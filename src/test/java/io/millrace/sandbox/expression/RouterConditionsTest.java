package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors of contract flows-and-engine 34.4 and the rules of section 10. Values are JSON with single quotes. */
class RouterConditionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            nullValues = "none",
            value = {
                "[1,2,3,4,5]           | LIST_CONTAINS               | 4          | false | true",
                "['apple','banana']    | LIST_CONTAINS               | 'Banana'   | true  | false",
                "['apple','banana']    | LIST_CONTAINS               | 'Banana'   | false | true",
                "'apple'               | LIST_CONTAINS               | 'apple'    | false | true",
                "''                    | LIST_IS_EMPTY               | none       | false | false",
                "'[]'                  | LIST_IS_EMPTY               | none       | false | true",
                "'Hello'               | TEXT_CONTAINS               | 'hello'    | false | true",
                "'Hello'               | TEXT_EXACTLY_MATCHES        | 'hello'    | true  | false",
                "10                    | NUMBER_IS_GREATER_THAN      | '9'        | false | true",
                "''                    | NUMBER_IS_EQUAL_TO          | 0          | false | true",
                "'abc'                 | NUMBER_IS_GREATER_THAN      | 1          | false | false",
                "'false'               | BOOLEAN_IS_TRUE             | none       | false | true",
                "'1st January 2021'    | DATE_IS_AFTER               | '2020-01-01' | false | false",
                "'2021-01-01'          | DATE_IS_EQUAL               | '2021-01-01T00:00:00.000' | false | true",
            })
    void answersTheVectors(
            String first, ConditionOperator operator, String second, boolean caseSensitive, boolean expected) {
        assertThat(evaluate(first, operator, second, caseSensitive)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            nullValues = "none",
            value = {
                "'Hello'               | TEXT_DOES_NOT_CONTAIN       | 'x'        | false | true",
                "'Hello'               | TEXT_DOES_NOT_EXACTLY_MATCH | 'hello'    | false | false",
                "'Hello'               | TEXT_START_WITH             | 'he'       | false | true",
                "'Hello'               | TEXT_START_WITH             | 'he'       | true  | false",
                "'Hello'               | TEXT_DOES_NOT_START_WITH    | 'he'       | false | false",
                "'Hello'               | TEXT_ENDS_WITH              | 'LO'       | false | true",
                "'Hello'               | TEXT_DOES_NOT_END_WITH      | 'LO'       | true  | true",
                "{'a':[1]}             | TEXT_CONTAINS               | '{\\\"a\\\":[1' | false | true",
                "12                    | TEXT_EXACTLY_MATCHES        | '12'       | false | true",
                "null                  | TEXT_EXACTLY_MATCHES        | 'null'     | false | true",
                "'[1,\\\"a\\\"]'       | LIST_CONTAINS               | 'A'        | false | true",
                "'5'                   | LIST_CONTAINS               | 5          | false | true",
                "[{'a':1}]             | LIST_CONTAINS               | {'a':1}    | false | true",
                "[1]                   | LIST_DOES_NOT_CONTAIN       | 2          | false | true",
                "'[broken'             | LIST_CONTAINS               | '[broken'  | false | true",
                "[]                    | LIST_IS_EMPTY               | none       | false | true",
                "[1]                   | LIST_IS_NOT_EMPTY           | none       | false | true",
                "'[0]'                 | LIST_IS_NOT_EMPTY           | none       | false | true",
                "'x'                   | LIST_IS_NOT_EMPTY           | none       | false | false",
                "{}                    | LIST_IS_EMPTY               | none       | false | false",
                "'b'                   | NUMBER_IS_GREATER_THAN      | 'a'        | false | true",
                "'10'                  | NUMBER_IS_LESS_THAN         | '9'        | false | false",
                "' 1e1 '               | NUMBER_IS_EQUAL_TO          | 10         | false | true",
                "true                  | NUMBER_IS_EQUAL_TO          | 1          | false | true",
                "'abc'                 | NUMBER_IS_EQUAL_TO          | 'abc'      | false | true",
                "[7]                   | NUMBER_IS_EQUAL_TO          | 7          | false | true",
                "0                     | BOOLEAN_IS_FALSE            | none       | false | true",
                "null                  | BOOLEAN_IS_TRUE             | none       | false | false",
                "[]                    | BOOLEAN_IS_TRUE             | none       | false | true",
                "''                    | BOOLEAN_IS_TRUE             | none       | false | false",
                "''                    | EXISTS                      | none       | false | false",
                "null                  | EXISTS                      | none       | false | false",
                "[]                    | EXISTS                      | none       | false | true",
                "false                 | EXISTS                      | none       | false | true",
                "''                    | DOES_NOT_EXIST              | none       | false | true",
                "'2021/1/5'            | DATE_IS_BEFORE              | '2021-01-06' | false | true",
                "'2021-01-05 10:00'    | DATE_IS_AFTER               | '2021-01-05T09:59:59.999Z' | false | true",
                "1609459200000         | DATE_IS_EQUAL               | '2021-01-01' | false | true",
                "'2021-01-01T02:00:00+02:00' | DATE_IS_EQUAL         | '2021-01-01' | false | true",
                "'Jan 5, 2021'         | DATE_IS_EQUAL               | '2021-01-05' | false | true",
                "true                  | DATE_IS_BEFORE              | '2021-01-05' | false | false",
                "''                    | DATE_IS_EQUAL               | ''         | false | false",
            })
    void followsTheRules(
            String first, ConditionOperator operator, String second, boolean caseSensitive, boolean expected) {
        assertThat(evaluate(first, operator, second, caseSensitive)).isEqualTo(expected);
    }

    private static boolean evaluate(String first, ConditionOperator operator, String second, boolean caseSensitive) {
        return RouterConditions.evaluate(
                operator,
                TestScope.json(first),
                second == null ? MissingNode.getInstance() : TestScope.json(second),
                caseSensitive);
    }

    @Test
    void doesNotExist_whenThePathLeadsNowhere() {
        // given
        var missing = new TestScope().step("step_1", "{}").evaluate("step_1.output.nothing");

        // when, then
        assertThat(RouterConditions.evaluate(ConditionOperator.EXISTS, missing, null, false))
                .isFalse();
        assertThat(RouterConditions.evaluate(ConditionOperator.EXISTS, NullNode.getInstance(), null, false))
                .isFalse();
    }

    @Test
    void isNeitherLessNorGreater_whenTheValueIsNotANumber() {
        // given
        var notANumber = new TestScope().evaluate("Number('x')");

        // when, then
        assertThat(RouterConditions.evaluate(
                        ConditionOperator.NUMBER_IS_LESS_THAN, notANumber, TextNode.valueOf("1"), false))
                .isFalse();
        assertThat(RouterConditions.evaluate(
                        ConditionOperator.NUMBER_IS_GREATER_THAN, notANumber, TextNode.valueOf("-1"), false))
                .isFalse();
    }

    @Test
    void joinsGroupsByOrAndConditionsByAnd() {
        var yes = "{'firstValue':'a','operator':'EXISTS'}";
        var no = "{'firstValue':'','operator':'EXISTS'}";

        assertThat(RouterConditions.evaluate(TestScope.json("[]"))).isFalse();
        assertThat(RouterConditions.evaluate(TestScope.json("[[]]"))).isTrue();
        assertThat(RouterConditions.evaluate(TestScope.json("[[" + yes + "," + no + "]]")))
                .isFalse();
        assertThat(RouterConditions.evaluate(TestScope.json("[[" + no + "],[" + yes + "]]")))
                .isTrue();
    }

    @Test
    void fails_whenAConditionHasNoOperator() {
        assertThatThrownBy(() -> RouterConditions.evaluate(TestScope.json("[[{'firstValue':'a'}]]")))
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo(ExpressionFailure.OPERATOR_NOT_SET));
    }

    @Test
    void knowsItsWireValues() {
        assertThat(ConditionOperator.of("TEXT_START_WITH")).contains(ConditionOperator.TEXT_START_WITH);
        assertThat(ConditionOperator.of("TEXT_STARTS_WITH")).isEmpty();
        assertThat(ConditionOperator.of(null)).isEmpty();
        assertThat(ConditionOperator.LIST_CONTAINS.family()).isEqualTo(ConditionOperator.Family.TEXT);
    }
}
