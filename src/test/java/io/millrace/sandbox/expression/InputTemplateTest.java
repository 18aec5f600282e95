package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import org.junit.jupiter.api.Test;

class InputTemplateTest {
    private final TestScope scope = new TestScope()
            .step("step_1", "{'a':{'b':[1,{'c':'deep'}]},'text':'x'}")
            .failedStep("step_2", "boom")
            .connection("gmail", "{'access_token':'secret-1','props':{'host':'h'}}")
            .connection("my-conn", "{'token':'secret-2'}")
            .variable("URL", "https://example.org");

    private static InputTemplate compile(String json) {
        return InputTemplate.compile(TestScope.json(json));
    }

    private static InputTemplate text(String text) {
        return InputTemplate.compile(TextNode.valueOf(text));
    }

    @Test
    void givesTheVerySameNode_whenThereIsNothingToResolve() {
        // given
        var input = TestScope.json("{'a':[1,'text',{'b':null}]}");
        var template = InputTemplate.compile(input);

        // when, then
        assertThat(template.resolve(scope)).isSameAs(input);
        assertThat(template.resolveBoth(scope).censored()).isSameAs(input);
        assertThat(template.isConstant()).isTrue();
    }

    @Test
    void sharesTheReferencedNode_whenItIsOnlyRead() {
        // given
        var output = scope.step("step_1").output();

        // when, then
        assertThat(scope.evaluate("step_1['output']['a']")).isSameAs(output.get("a"));
        assertThat(scope.evaluate("step_1.output.a ?? 'none'")).isSameAs(output.get("a"));
        assertThat(scope.evaluate("step_1['output']")).isSameAs(output);
    }

    @Test
    void resolvesListsAndObjectsAllTheWayDown_butNoKeys() {
        // given
        var template = compile("{'{{k}}':['{{step_1.output.a.b[1].c}}',1,null],'m':'<{{step_1.output.text}}>'}");

        // when
        var value = template.resolve(scope);

        // then
        assertThat(value).isEqualTo(TestScope.json("{'{{k}}':['deep',1,null],'m':'<x>'}"));
        assertThat(template.isConstant()).isFalse();
    }

    @Test
    void keepsTheType_onlyWhenTheTokenStandsAlone() {
        assertThat(scope.resolve("{{step_1.output.a.b[0]}}").isInt()).isTrue();
        assertThat(scope.resolve(" {{step_1.output.a.b[0]}}")).isEqualTo(TextNode.valueOf(" 1"));
        assertThat(scope.resolve("{{step_1.output.a.b[0]}}{{step_1.output.a.b[0]}}"))
                .isEqualTo(TextNode.valueOf("11"));
    }

    @Test
    void showsTheErrorOfAFailedStep() {
        assertThat(scope.evaluate("step_2['error']['message']").textValue()).isEqualTo("boom");
        assertThat(scope.evaluate("step_2.error")).isEqualTo(TestScope.json("{'message':'boom'}"));
        assertThat(scope.evaluate("step_1.error?.message ?? 'fine'").textValue())
                .isEqualTo("fine");
        assertThat(scope.evaluate("step_1.error").textValue()).isEmpty();
        assertThat(scope.evaluate("step_2")).isEqualTo(TestScope.json("{'error':{'message':'boom'}}"));
    }

    @Test
    void givesEmptyText_whenTheTokenLeadsNowhereOrThrows() {
        for (var token :
                new String[] {"nope", "nope.a", "step_1.output.z", "step_1.output.z.y", "1 +", "null", "", "'"}) {
            assertThat(scope.evaluate(token)).as(token).isEqualTo(TextNode.valueOf(""));
        }
    }

    @Test
    void readsConnectionsInEveryForm() {
        assertThat(scope.evaluate("connections['gmail']").path("access_token").textValue())
                .isEqualTo("secret-1");
        assertThat(scope.evaluate("connections[\"gmail\"].access_token").textValue())
                .isEqualTo("secret-1");
        assertThat(scope.evaluate("connections.gmail.props.host").textValue()).isEqualTo("h");
        assertThat(scope.evaluate("connections['gmail']['props']['host']").textValue())
                .isEqualTo("h");
        assertThat(scope.evaluate("connections.my-conn.token").textValue()).isEqualTo("secret-2");
        assertThat(scope.evaluate("connections.gmail.access_token.slice(0, 6)").textValue())
                .isEqualTo("secret");
        assertThat(scope.evaluate("connections['gmail','my-conn']").textValue()).isEmpty();
        assertThat(scope.evaluate("connectionsOfMine.output").textValue()).isEmpty();
        assertThat(scope.evaluate("'x' + connections.gmail.access_token").textValue())
                .isEmpty();
    }

    @Test
    void fails_whenAConnectionCannotBeUsed() {
        assertThatThrownBy(() -> scope.resolve("Bearer {{connections['gone'].token}}"))
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo("ConnectionNotFound"));
    }

    @Test
    void readsVariables_andGivesEmptyTextForMissingOnes() {
        assertThat(scope.resolve("{{variables['URL']}}/x").textValue()).isEqualTo("https://example.org/x");
        assertThat(scope.evaluate("variables.URL").textValue()).isEqualTo("https://example.org");
        assertThat(scope.evaluate("variables.GONE").textValue()).isEmpty();
        assertThat(scope.evaluate("variables['not a name']").textValue()).isEmpty();
    }

    @Test
    void redactsConnectionsAndVariables_inTheCopyForTheLog() {
        // given
        var template = compile("""
                {'auth':'{{connections.gmail}}','url':'{{variables.URL}}/{{step_1.output.text}}','body':{'n':'{{1+1}}'},
                 'list':[1,'{{connections[`gmail`]}}']}""".replace('`', '"').replace("\"gmail\"", "\\\"gmail\\\""));

        // when
        var both = template.resolveBoth(scope);

        // then
        assertThat(both.value().path("auth").path("access_token").textValue()).isEqualTo("secret-1");
        assertThat(both.value().path("url").textValue()).isEqualTo("https://example.org/x");
        assertThat(both.censored()).isEqualTo(TestScope.json("""
                {'auth':'**REDACTED**','url':'**REDACTED**/x','body':{'n':2},'list':[1,'**REDACTED**']}"""));
        assertThat(both.censored().get("body")).isSameAs(both.value().get("body"));
        assertThat(Json.text(both.censored())).doesNotContain("secret");
    }

    @Test
    void isTheSameTwice_whenNothingIsSecret() {
        // when
        var both = compile("{'a':'{{step_1.output.text}}'}").resolveBoth(scope);

        // then
        assertThat(both.censored()).isSameAs(both.value());
    }

    @Test
    void namesWhatTheCallerMustLoad() {
        // when
        var template = compile("['{{connections.gmail.a}} {{connections.gmail.b}}','{{variables.URL}}','{{step_9}}']");

        // then
        assertThat(template.needs().connectionNames()).containsExactly("gmail");
        assertThat(template.needs().variableNames()).containsExactly("URL");
        assertThat(template.references()).containsExactly("step_9");
    }

    @Test
    void findsReferences_withoutGlobalsParametersAndKeys() {
        // given
        var template =
                text("{{ trigger.output.list.map(x => ({ step_7: x.step_8 + step_1.output.n, y: Math.max(x) })) }}"
                        + "{{ [step_2, ...step_3.output].map(([a, { b, c: [d] }], ...rest) => a + b + d + rest + step_4) }}"
                        + "{{ `${step_5?.output}` + typeof step_6 }}{{ { step_10 } }}");

        // when, then
        assertThat(template.references())
                .containsExactlyInAnyOrder(
                        "trigger", "step_1", "step_2", "step_3", "step_4", "step_5", "step_6", "step_10");
        assertThat(template.syntaxIssues()).isEmpty();
    }

    @Test
    void tellsWrongTokensFromThoseBeyondTheGrammar() {
        // when
        var issues =
                text("{{1 +}} {{(() => { let a = 1; return a })()}} {{fine}}").syntaxIssues();

        // then
        assertThat(issues)
                .extracting(SyntaxIssue::kind)
                .containsExactly(SyntaxIssue.Kind.SYNTAX, SyntaxIssue.Kind.BEYOND_GRAMMAR);
        assertThat(issues.getFirst())
                .isEqualTo(new SyntaxIssue(
                        "1 +", 3, "expected an expression, but found the end", SyntaxIssue.Kind.SYNTAX));
    }

    @Test
    void marksConstructsBeyondTheGrammar() {
        for (var source : new String[] {
            "function f() {}",
            "class A {}",
            "new Set([1])",
            "a = 1",
            "a += 1",
            "await x",
            "async () => 1",
            "x++",
            "--x",
            "let a = 1",
            "a; b",
            "(a, b)",
            "x => { foo() }",
            "tag`x`",
            "10n",
            "a.push(1)",
            "this.x",
            "a instanceof B",
            "[1].sort() ; 1",
            "(1234.5).toLocaleString()",
            "new Map()",
            "Intl.NumberFormat",
            "({ f() {} })",
            "({ get a() {} })",
            "(a = 1) => a",
            "return 1",
            "delete a.b",
            "1, 2",
            "'a'.nope()",
            "s.output.n()",
            "({f: x => x + 1}).f(2)",
            "Math.sinh(1)",
            "Math.LOG2E",
            "Object.groupBy(s.output, x => x.a)",
            "JSON.stringify(s.output, ['a'])",
            "JSON.stringify(s.output, (k, v) => v ?? 0)"
        }) {
            assertThat(Expression.of(source).isBeyondGrammar()).as(source).isTrue();
        }
    }

    @Test
    void takesWhatIsBeyondTheGrammarFromTheScope() {
        // given
        var source = "[...new Set([1, 1])]";
        var template = text("{{ " + source + " }}");
        scope.evaluatedElsewhere(source, "[1]");

        // when, then
        assertThat(template.needs().beyondGrammar()).containsExactly(source);
        assertThat(template.resolve(scope)).isEqualTo(TestScope.json("[1]"));
    }

    @Test
    void repeatsScalarsAndFillsGaps_whenColumnsAreOfDifferentLength() {
        // given
        scope.step("trigger", "{'l':[{'n':'a'},{'n':'b'},{'n':1}],'m':['x'],'s':'!'}");

        // when
        var value = scope.resolve(
                "{{flattenNestedKeys(trigger.output.l, ['n'])}}-{{trigger.output.m}}{{trigger.output.s}}");

        // then
        assertThat(value).isEqualTo(TestScope.json("['a-x!','b-!','1-!']"));
    }

    @Test
    void flattensNestedKeysAsTheContractSays() {
        scope.step("t", "{'a':[{'b':[{'c':1},{'c':[2,3]}]},{'b':{'c':null}},{'x':1},5]}");

        assertThat(scope.evaluate("flattenNestedKeys(t.output, ['a','b','c'])"))
                .isEqualTo(TestScope.json("[1,2,3,null]"));
        assertThat(scope.evaluate("flattenNestedKeys(t.output, [])")).isEqualTo(Json.array());
        assertThat(scope.evaluate("flattenNestedKeys(7, [])")).isEqualTo(TestScope.json("[7]"));
        assertThat(scope.evaluate("flattenNestedKeys(t.output.nothing, ['a'])")).isEqualTo(Json.array());
    }

    @Test
    void readsTheClockAndChanceOfTheScope() {
        assertThat(scope.evaluate("new Date().toISOString()").textValue()).isEqualTo("2026-03-04T05:06:07.089Z");
        assertThat(scope.evaluate("Date.now()").longValue()).isEqualTo(TestScope.NOW.toEpochMilli());
        assertThat(scope.evaluate("Math.random()").doubleValue()).isBetween(0.0, 1.0);
    }

    @Test
    void neverReachesAConstructor() {
        for (var source : new String[] {
            "''.constructor",
            "[]['const' + 'ructor']",
            "({}).__proto__",
            "(x => x).constructor('return 1')()",
            "Math.constructor",
            "step_1.output.constructor.constructor",
            "Object.prototype"
        }) {
            assertThat(scope.evaluate(source).asText()).as(source).isEmpty();
        }
        assertThat(scope.evaluate("({ ['__proto__']: { a: 1 } })")).isEqualTo(Json.object());
    }

    @Test
    void changesNothingThatTheScopeGave() {
        // given
        var before = scope.step("step_1").output().deepCopy();

        // when
        scope.evaluate("Object.assign(step_1.output, { a: 1 }).a + step_1.output.a.b.reverse().length");

        // then
        assertThat(scope.step("step_1").output()).isEqualTo(before);
    }

    @Test
    void writesNumbersOutOfRangeAsNull() {
        assertThat(Json.text(scope.evaluate("[0/0, 1/0]"))).isEqualTo("[null,null]");
        assertThat(scope.resolve("n={{0/0}}").textValue()).isEqualTo("n=null");
    }

    @Test
    void keepsEveryDigitOfWholeNumbers() {
        scope.step("big", "{'id':12345678901234567890,'long':9007199254740993}");

        assertThat(scope.resolve("{{big.output.id}} {{big.output.long}}").textValue())
                .isEqualTo("12345678901234567890 9007199254740993");
    }
}
