package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.expression.value.JsText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors of contract flows-and-engine 34.3. */
class ExpressionVectorsTest {
    private final TestScope scope = new TestScope().step("trigger", """
            {'items':[5,'a'],'price':6.4,'users':[{'name':'Alice'},{'name':'Bob'}],'lastNames':['Smith','Doe']}""");

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "Price is {{ trigger['output']['price'] }}~\"Price is 6.4\"",
                "{{trigger['output']['price']}}~6.4",
                "items are {{trigger['output']['items']}}~\"items are [5,\\\"a\\\"]\"",
                "{{trigger['output']['items']}}~[5,\"a\"]",
                "{{ trigger['output']['items'][1] }}~\"a\"",
                "{{}}~\"\"",
                "test {{configs.bar}} {{trigger['output']['items'][4]}}~\"test  \"",
                "{{trigger['output']['price'] + 1}}~7.4",
                "{{Math.min(2, 1)}}~1",
                "{{flattenNestedKeys(trigger['output'], ['users','name'])}}~[\"Alice\",\"Bob\"]",
                "{{flattenNestedKeys(trigger['output'], ['users','name'])}} {{trigger['output']['lastNames']}}"
                        + "~[\"Alice Smith\",\"Bob Doe\"]",
                "{{trigger['output'].constructor}}~\"\"",
                "{{trigger['output']['__proto__']}}~\"\"",
                "{{trigger['output']['users']['prototype']}}~\"\"",
                "{{trigger['body']}}~\"\"",
                "{{trigger['output']['items']['length']}}~2"
            })
    void resolves(String input, String expected) {
        assertThat(JsText.json(scope.resolve(input))).isEqualTo(expected);
    }
}
