package io.millrace.piece.builtin.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.data.CsvReader;
import io.millrace.piece.builtin.data.CsvWriter;
import io.millrace.piece.builtin.data.XmlReader;
import io.millrace.sandbox.expression.evaluator.ScriptPattern;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.support.Slow;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Untrusted texts that exhaust CPU time. Each would take minutes or days if the work were quadratic in the size of the
 * text.
 */
@Slow(Slow.Reason.HOSTILE)
@HostileKind("text formats")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileTextTest {
    private static final int LENGTH = 400_000;

    private static final MarkdownHtml.Options GITHUB =
            new MarkdownHtml.Options(MarkdownHtml.Flavor.GITHUB, 1, true, true, true, false);

    /** Each line of nested lists is indented once for each list around it, which takes long for its length. */
    private static final int LENGTH_OF_LISTS = 100_000;

    private static String repeated(String part) {
        return part.repeat((part.equals("<ul><li>") ? LENGTH_OF_LISTS : LENGTH) / part.length());
    }

    @Test
    void makesASlugOfASequenceOfMarks() {
        assertThat(Slug.of("a" + repeated("\u0301\u0316") + "b")).isEqualTo("ab");
    }

    /** Each match costs the length of the replacement, although nothing is written. */
    @Test
    void refusesAReplacementOfManyGroupsWithoutText() {
        var pattern = ScriptPattern.compile("()a", false).orElseThrow();

        assertThatThrownBy(() -> pattern.replace(repeated("a"), repeated("$1"), false))
                .isInstanceOf(ExpressionFailure.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<!--", "<![CDATA["})
    void refusesADocumentOfUnclosedLiterals(String opening) {
        assertThatThrownBy(() -> XmlReader.read("<!DOCTYPE a><a>" + repeated(opening), false))
                .isInstanceOf(PieceFailure.class);
    }

    /** The paths of the columns together would need 160 GB. */
    @Test
    void refusesATableWhoseColumnsRepeatALongName() {
        var numbers = Json.array();
        for (var number = 0; number < LENGTH; number++) {
            numbers.add(number);
        }
        var list = Json.array().add(Json.object().set(repeated("a"), numbers));

        assertThatThrownBy(() -> CsvWriter.write(list, ',')).isInstanceOf(PieceFailure.class);
    }

    private static String markdown(String html) {
        return HtmlMarkdown.of(html, true);
    }

    /** Unclosed constructs, and constructs with many possible ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a ",
                "<a href='",
                "<p>",
                "<li>",
                "<ul><li>",
                "<blockquote>",
                "<div>",
                "</p>",
                "<td>",
                "<tr><td>",
                "<table>",
                "&",
                "&#",
                "<!--",
                "<script>",
                "<script></scrip",
                "<pre>",
                "<code>`",
                "<h1>",
                "<b>a",
                "<br>",
                "<"
            })
    void readsHtmlInOnePass(String part) {
        assertThat(markdown(repeated(part))).isNotNull();
        assertThat(HtmlText.of(repeated(part))).isNotNull();
    }

    static Stream<Arguments> blanks() {
        return Stream.of(
                Arguments.of("<h1>x<pre>y", "z</pre></h1>"),
                Arguments.of("<a href=x>x<pre>y", "z</pre></a>"),
                Arguments.of("<table><tr><td>x<pre>y", "z</pre></td></tr></table>"));
    }

    @ParameterizedTest
    @MethodSource("blanks")
    void putsManyBlanksInOneLine(String before, String after) {
        assertThat(markdown(before + repeated(" ") + after)).contains("x").contains("z");
        assertThat(markdown(before + repeated("\n ") + after)).contains("x").contains("z");
    }

    @Test
    void putsLinesInOneLine_asBefore() {
        assertThat(MarkdownText.inOneLine(" a  b \n\t c\r\n\n\nd \n")).isEqualTo(" a  b c d ");
        assertThat(MarkdownText.inOneLine("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "_",
                "**a",
                "*a ",
                "a*b_",
                "[",
                "[a](",
                "[a]",
                "![",
                "`",
                "`a``",
                "<",
                "<a ",
                "<!--",
                "&",
                "~~",
                "~~a",
                ">",
                "- ",
                "#",
                "|",
                "a|b\n-|-\n",
                "---|",
                "\t",
                "[a]: b\n",
                "http://",
                "<a@b.c",
                "\\",
                "=\n",
                ">>a\n",
                "[[",
                "*_",
                "***a",
                "![a](b \"",
                "[a]("
            })
    void readsMarkdownInOnePass(String part) {
        assertThat(MarkdownHtml.of(repeated(part), GITHUB)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"# ", "|", "[a]: b \"", "[a]:", "```", "    ", "---", "=", "- a\n"})
    void readsMarkdownWithManyBlanksInOnePass(String before) {
        assertThat(MarkdownHtml.of(before + repeated(" ") + "`", GITHUB)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"&amp;", "&#65;", "<![CDATA[a]]>", "]]]", "<!-- -->", "a<!-- -->", "<?a b?>", "a<b/>"})
    void readsXmlInOnePass(String part) {
        assertThat(XmlReader.read("<r>" + repeated(part) + "</r>", false)).isNotNull();
    }

    private static void refusesXml(String xml) {
        assertThatThrownBy(() -> XmlReader.read(xml, false)).isInstanceOf(PieceFailure.class);
    }

    @Test
    void expandsNoEntities() {
        // Given
        var laughs = new StringBuilder("<!DOCTYPE r [<!ENTITY a0 'ha'>");
        IntStream.range(1, 30)
                .forEach(level -> laughs.append("<!ENTITY a%1$d '&a%2$d;&a%2$d;'>".formatted(level, level - 1)));
        UnaryOperator<String> document = declared -> "<!DOCTYPE r [" + declared + "]><r>&a;</r>";

        // Then
        refusesXml(laughs + "]><r>&a29;</r>");
        refusesXml(document.apply("<!ENTITY a '" + repeated("ha") + "'>"));
        refusesXml(document.apply("<!ENTITY a SYSTEM 'file:///etc/passwd'>"));
        refusesXml(document.apply("<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'>%p;"));
    }

    @Test
    void takesAttributesAndElementsInEachOther_upToABound() {
        refusesXml("<a>".repeat(101) + "</a>".repeat(101));
        assertThat(XmlReader.read("<a>".repeat(100) + "</a>".repeat(100), false))
                .isNotNull();
        var attributes = new StringBuilder("<r");
        IntStream.range(0, 100_000)
                .forEach(index -> attributes.append(" a").append(index).append("=''"));
        refusesXml(attributes + "/>");
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "\n", "\"\"", "a", "a,", "\r"})
    void readsTablesInOnePass(String part) {
        assertThat(CsvReader.read(part.repeat(LENGTH / part.length()), true, ','))
                .isNotNull();
    }

    /** One line as long as the largest input. */
    @Test
    void readsATableOfOneLine() {
        assertThat(CsvReader.read("a".repeat((int) ComputedAction.SIZE_MAX), false, ','))
                .hasSize(1);
    }
}
