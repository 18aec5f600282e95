package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.support.MachineSpeed;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that try to use all time, all memory or the whole stack. */
@HostileKind("expression bomb")
class BombTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final TestScope scope = new TestScope().step("s", "{'a':1}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x'.repeat(1e9)",
                "'x'.repeat(1e6).repeat(1e6)",
                "'x'.padEnd(1e300)",
                "'x'.padStart(4e9, 'ab')",
                "Array(1e9)",
                "new Array(4294967295).fill(0)",
                "Array.from({length: 1e12})",
                "[...Array(999999).keys()].map(i => 'x'.repeat(1000) + i)",
                "Array(999999).fill(0).flatMap(x => Array(999999).fill(1))",
                "[...Array(40).keys()].reduce(a => a + a, 'xxxxxxxx')",
                "[...Array(40).keys()].reduce(a => [...a, ...a], [1])",
                "[...Array(40).keys()].reduce(a => a.concat(a), [1])",
                "[...Array(60).keys()].reduce(a => [a, a], [])",
                "JSON.stringify([...Array(60).keys()].reduce(a => [a, a], []))",
                "'' + [...Array(60).keys()].reduce(a => [a, a], ['x'])",
                "[...Array(60).keys()].reduce(a => [a, a], []).flat(Infinity)",
                "[...Array(60).keys()].reduce(a => [a, a], ['x']) == 'y'",
                "[...Array(60).keys()].reduce(a => ({a, b: a}), {})",
                "flattenNestedKeys([...Array(60).keys()].reduce(a => [a, a], [1]), [])",
                "[...Array(9999).keys()].reduce(a => [a], [])",
                "JSON.stringify([...Array(9999).keys()].reduce(a => [a], []))",
                "(f => f(f))(f => f(f))",
                "(f => f(f))(f => 1 + f(f))",
                "(f => f(f))(f => [1].map(() => f(f)))",
                "[...Array(5000).keys()].map(i => [...Array(5000).keys()].map(j => i * j))",
                "/(x+x+)+\\1y/.test('x'.repeat(60))",
                "/^(a|aa)+\\1c/.test('a'.repeat(90) + 'b')",
                "'a'.repeat(1e6).replace(/a/g, \"$'\")",
                "'a'.repeat(1e6).replaceAll('a', '$`$`')",
                "'a'.repeat(1e5).split('').map((c, i, l) => l.join(''))",
                "[...Array(3e5).keys()].sort((a, b) => [...Array(1000).keys()].length)",
                "encodeURIComponent('é'.repeat(3e7))",
                "Array(9e5).fill('x'.repeat(1e6))",
                "Array(999).fill('x'.repeat(1e6)).join()",
                "`${'x'.repeat(2e7)}${'x'.repeat(2e7)}`",
                "[...Array(100000).keys()].map(i => 'y'.repeat(20000).includes('z' + i))",
                "(t => Array(9e5).fill(t).indexOf(t + 'y'))('x'.repeat(1e6))",
                "(t => Array(9e5).fill(t + 'z').includes(t + 'y'))('x'.repeat(1e6))",
                "(t => Array(9e5).fill(t + 'z').lastIndexOf(t + 'y'))('x'.repeat(1e6))",
                "/(?:(?:){999999999}){999999999}/.test('')",
                "/(?:(?=){999999999}){999999999}/.test('')",
                "/(?:$){999999999}(?:$){999999999}(?:$){999999999}(?:$){999999999}/.test('')",
                "/()\\1{999999999}\\1{999999999}\\1{999999999}\\1{999999999}\\1{999999999}/.test('')",
                "/(?<n>)(?:\\k<n>{999999999}){999999999}/.test('')",
                "RegExp('(?:|)'.repeat(60) + '[]').test('')",
                "RegExp('(?:a?|b?)'.repeat(60) + '[]').test('aaaa')",
                "'x'.repeat(3e6).replace(RegExp('$|'.repeat(900) + 'y'), '')",
                "'x'.replace(/(?<n>x)/, '$<'.repeat(1e6))",
                "('a' + '\\u0301\\u0316'.repeat(1e6)).normalize()",
                "('a' + '\\uff9e\\u0301'.repeat(1e6)).normalize('NFKD')",
                "('a' + '\\u0301\\u0316'.repeat(1e6)).localeCompare('b')",
                "'\\ufdfa'.repeat(3e6).normalize('NFKC')",
                "RegExp('a{0}'.repeat(499) + '[]').test('x'.repeat(2e7))",
                "RegExp('a{0}'.repeat(12) + '[]').test('x'.repeat(2e7))",
                "RegExp('(?:' + '^'.repeat(1900) + '){999999999}').test('')",
                "RegExp('(?:[]|' + '^'.repeat(900) + ')*[]').test('x'.repeat(2e7))"
            })
    void runsOutOfFuel(String bomb) {
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThatThrownBy(() -> scope.evaluate(bomb))
                        .isInstanceOfSatisfying(
                                ExpressionFailure.class,
                                failure ->
                                        assertThat(failure.errorName()).isEqualTo(ExpressionFailure.LIMIT_EXCEEDED)));
    }

    /** The worst case of a naive search: each position is compared with half of the text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "t.includes(h + 'b')",
                "t.indexOf(h + 'b') >= 0",
                "t.lastIndexOf('b' + h) >= 0",
                "t.split(h + 'b').length > 1",
                "t.replace(h + 'b', 'c') !== t",
                "t.replaceAll(h + 'b', 'c') !== t"
            })
    void searchesInTheTimeOfAScan(String search) {
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(scope.evaluate("((t, h) => " + search + ")('a'.repeat(4e6), 'a'.repeat(2e6))"))
                        .isEqualTo(BooleanNode.FALSE));
    }

    @Test
    void decodesALongRunInTheTimeOfAScan() {
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(scope.evaluate("decodeURI('%23'.repeat(2e6)).length")
                                .intValue())
                        .isEqualTo(6_000_000));
    }

    @ParameterizedTest
    @ValueSource(ints = {62, 63, 64, 127, 128})
    void matchesACharacterOfTwoUnits_behindALongSource(int length) {
        assertThat(scope.evaluate(
                        "RegExp('a'.repeat(%d) + '😀').test('a'.repeat(%d) + '😀')".formatted(length, length)))
                .isEqualTo(BooleanNode.TRUE);
    }

    /** An alternative costs as much as a character, so that a list of words does not exhaust the fuel of a usual text. */
    @Test
    void findsOneOfManyWordsInALongText() {
        assertThat(scope.evaluate(
                        "RegExp([...Array(60).keys()].map(i => 'word' + i).join('|')).test('some text '.repeat(1500))"))
                .isEqualTo(BooleanNode.FALSE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^{999999999}",
                "$+",
                "a\\b{999999999}",
                "\\B*",
                "(+49)?[0-9]+",
                "a|*b",
                "(*a)",
                "(?:+x)",
                "(?:{2}x)",
                "(?<n>?x)",
                "a{2}{3}"
            })
    void refusesTheRepetitionOfAnAssertion(String pattern) {
        assertThat(Expression.of("/" + pattern + "/.test('')").issue()).isPresent();
    }

    /** Each comparison would trim and parse 20 MB. */
    @Test
    void limitsComparisonsOfManyItemsWithALongText() {
        // given
        var items = Json.array();
        for (var i = 0; i < 100_000; i++) {
            items.addObject().put("price", i);
        }
        scope.step("t", Json.object().put("min", " ".repeat(20_000_000)).set("items", items));

        // when, then
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThatThrownBy(() -> scope.evaluate("t.output.items.filter(i => i.price > t.output.min)"))
                        .isInstanceOf(ExpressionFailure.class));
    }

    @Test
    void readsADateWithManyBlanksInTheTimeOfAScan() {
        // given
        scope.step("date", TextNode.valueOf("z" + " ".repeat(98) + "!"));

        // when, then
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(scope.evaluate("Array(50000).fill(date.output).filter(d => Date.parse(d) > 0).length")
                                .intValue())
                        .isZero());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "extract_email({{t.output}}) | @a",
                "format_date(\"2020-01-02\"; {{t.output}}) | [",
                "format_date(\"2020-01-02\"; {{t.output}}) | D"
            })
    void evaluatesAFormulaInTheTimeOfAScan(String formula, String repeated) {
        scope.step("t", TextNode.valueOf(repeated.repeat(1_000_000)));

        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(scope.resolve("ap-formula-v1::{length(" + formula + ")}::ap-formula-v1")
                                .isInt())
                        .isTrue());
    }

    /** A hash table of objects without an order compares all of them with each other. */
    @Test
    void deduplicatesTextsWithEqualHashCodes() {
        // given
        var texts = Json.array();
        for (var i = 0; i < 1 << 17; i++) {
            var text = new StringBuilder();
            for (var bit = 0; bit < 17; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            texts.add(text.toString());
        }
        scope.step("t", texts);

        // when, then
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(scope.resolve("ap-formula-v1::{count(deduplicate({{t.output}}; \"\"))}::ap-formula-v1")
                                .intValue())
                        .isEqualTo(1 << 17));
    }

    @Test
    void sharesOneBudget_whenAnInputHasManyTokens() {
        // given
        var token = "{{[...Array(100000).keys()].map(i => i * 2).length}}";
        var template = InputTemplate.compile(TextNode.valueOf(token.repeat(100)));

        // when, then
        assertThatThrownBy(() -> template.resolve(scope)).isInstanceOf(ExpressionFailure.class);
    }

    @Test
    void limitsAnInputThatRepeatsALargeOutput() {
        // given
        scope.step("large", TextNode.valueOf("x".repeat(10_000_000)));
        var template = InputTemplate.compile(TextNode.valueOf("{{large.output}} ".repeat(1000)));

        // when, then
        assertThatThrownBy(() -> template.resolve(scope)).isInstanceOf(ExpressionFailure.class);
    }

    @Test
    void keepsTheStack_whenTheSourceNestsDeep() {
        for (var piece : new String[] {
            "(",
            "[",
            "{a:",
            "-",
            "!",
            "typeof ",
            "a?",
            "x=>",
            "f(",
            "`${",
            "1+(",
            "a[",
            "a?.[",
            "...",
            "1**",
            "new Date(",
            "({a})=>",
            "((",
            "[(",
            "a||"
        }) {
            var source = piece.repeat(20_000);
            assertThat(Expression.of(source).issue()).as(piece).isPresent();
        }
    }

    @Test
    void keepsTheStack_whenChainsAreLong() {
        // given
        var sum = "1" + "+1".repeat(40_000);
        var members = "s.output" + ".a".repeat(40_000);
        var calls = "s.output.at" + "()".repeat(40_000);
        var optional = "s" + "?.a".repeat(30_000);

        // when, then
        assertThatThrownBy(() -> scope.evaluate(sum)).isInstanceOf(ExpressionFailure.class);
        assertThatThrownBy(() -> scope.evaluate(members)).isInstanceOf(ExpressionFailure.class);
        assertThatThrownBy(() -> scope.evaluate(calls)).isInstanceOf(ExpressionFailure.class);
        assertThatThrownBy(() -> scope.evaluate(optional)).isInstanceOf(ExpressionFailure.class);
    }

    @Test
    void survivesARegularExpressionThatRecursesPerCharacter() {
        // given
        scope.step("long", TextNode.valueOf("ab".repeat(200_000)));

        // when, then
        assertThatThrownBy(() -> scope.evaluate("/^(a|b)*$/.test(long.output)")).isInstanceOf(ExpressionFailure.class);
        assertThat(Expression.of("/" + "(".repeat(1900) + "/").issue()).isPresent();
    }

    @Test
    void leavesRoomForOrdinaryWork() {
        // given
        var rows = Json.array();
        for (var i = 0; i < 10_000; i++) {
            rows.add(Json.object().put("id", i).put("name", "row " + i));
        }
        scope.step("rows", rows);

        // when
        var html = scope.evaluate(
                "rows.output.filter(r => r.id % 2 == 0).map(r => `<tr><td>${r.id}</td><td>${r.name}</td></tr>`).join('')");
        var total = scope.evaluate("rows.output.reduce((sum, r) => sum + r.id, 0)");
        var sorted = scope.evaluate("rows.output.sort((a, b) => b.id - a.id)[0].id");

        // then
        assertThat(html.textValue())
                .startsWith("<tr><td>0</td><td>row 0</td></tr>")
                .hasSizeGreaterThan(100_000);
        assertThat(total.intValue()).isEqualTo(49_995_000);
        assertThat(sorted.intValue()).isEqualTo(9_999);
    }

    @Test
    void sortsByAComparisonThatContradictsItself() {
        assertThat(scope.evaluate("[...Array(1000).keys()].sort(() => Math.random() - 0.5).length")
                        .intValue())
                .isEqualTo(1000);
        assertThat(scope.evaluate("[...Array(1000).keys()].sort((a, b) => 1).length")
                        .intValue())
                .isEqualTo(1000);
    }
}
