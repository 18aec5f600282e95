package io.millrace.piece.builtin.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.support.MachineSpeed;
import io.millrace.support.piece.FakeStepContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Markdown and HTML, each converted to the other. A backslash and n represent a line end. */
class MarkupActionsTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '→', quoteCharacter = '§', textBlock = """
            §# Big Title #§                  → <h1 id="big-title">Big Title</h1>
            Title\\n===\\nSub\\n---          → <h1 id="title">Title</h1>\\n<h2 id="sub">Sub</h2>
            §#none§                          → <p>#none</p>
            §# a\\n# a§                      → <h1 id="a">a</h1>\\n<h1 id="a-1">a</h1>
            **b** *i* __b__ _i_ ***x***      → <p><strong>b</strong> <em>i</em> <strong>b</strong> <em>i</em> <strong><em>x</em></strong></p>
            a **b *c* d** e                  → <p>a <strong>b <em>c</em> d</strong> e</p>
            snake_case_name 2*3*4            → <p>snake_case_name 2<em>3</em>4</p>
            a * b * c **                     → <p>a * b * c **</p>
            ~~gone~~                         → <p><del>gone</del></p>
            `a<b` ``c`d``                    → <p><code>a&lt;b</code> <code>c`d</code></p>
            a & b &amp; 1 < 2                → <p>a &amp; b &amp; 1 &lt; 2</p>
            \\*no\\* \\_                     → <p>*no* _</p>
            one\\ntwo\\n\\nthree             → <p>one<br />\\ntwo</p>\\n<p>three</p>
            [t](http://a.b "T") ![x](i.png)  → <p><a href="http://a.b" title="T">t</a> <img src="i.png" alt="x" /></p>
            [t][1] [2]\\n\\n[1]: http://a\\n[2]: http://b (B) → <p><a href="http://a">t</a> <a href="http://b" title="B">2</a></p>
            <http://a.b> x@y <m@a.bc>        → <p><a href="http://a.b">http://a.b</a> x@y <a href="mailto:m@a.bc">m@a.bc</a></p>
            see https://a.b/c_d.             → <p>see <a href="https://a.b/c_d">https://a.b/c_d</a>.</p>
            a <b>c</b>                       → <p>a <b>c</b></p>
            <div>\\n*a*\\n</div>             → <div>\\n*a*\\n</div>
            ---                              → <hr />
            > a\\n> b\\n>\\n> > c            → <blockquote>\\n<p>a<br />\\nb</p>\\n<blockquote>\\n<p>c</p>\\n</blockquote>\\n</blockquote>
            ```js\\nlet a = 1 < 2;\\n```     → <pre><code class="js language-js">let a = 1 &lt; 2;</code></pre>
            ```\\n# open                     → <pre><code># open</code></pre>
            §    a\\n    b§                  → <pre><code>a\\nb</code></pre>
            x\\n\\n    a\\n    b             → <p>x</p>\\n<pre><code>a\\nb</code></pre>
            - a\\n- b                        → <ul>\\n<li>a</li>\\n<li>b</li>\\n</ul>
            3. a\\n4. b                      → <ol>\\n<li>a</li>\\n<li>b</li>\\n</ol>
            - a\\n  - b\\n  - c\\n- d        → <ul>\\n<li>a\\n<ul>\\n<li>b</li>\\n<li>c</li>\\n</ul></li>\\n<li>d</li>\\n</ul>
            * a\\n\\n* b                     → <ul>\\n<li><p>a</p></li>\\n<li><p>b</p></li>\\n</ul>
            - [x] a                          → <ul>\\n<li class="task-list-item" style="list-style-type: none;"><input type="checkbox" disabled style="margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;" checked> a</li>\\n</ul>
            - [ ] a\\n\\n- b              → <ul>\\n<li class="task-list-item" style="list-style-type: none;"><input type="checkbox" disabled style="margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;"> <p>a</p></li>\\n<li><p>b</p></li>\\n</ul>
            1. a\\n\\n   ```\\n   x\\n   ```     → <ol>\\n<li><p>a</p>\\n<pre><code>x</code></pre></li>\\n</ol>
            say "it" > all                   → <p>say "it" > all</p>
            [a](<b c> "d > e")               → <p><a href="b c" title="d &gt; e">a</a></p>
            &copy; \\&copy; &nosuch;         → <p>© &amp;copy; &amp;nosuch;</p>
            a|b\\n-|:-:\\n1|*2*              → <table>\\n<thead>\\n<tr>\\n<th>a</th>\\n<th style="text-align:center;">b</th>\\n</tr>\\n</thead>\\n<tbody>\\n<tr>\\n<td>1</td>\\n<td style="text-align:center;"><em>2</em></td>\\n</tr>\\n</tbody>\\n</table>
            """)
    void writesMarkdownAsHtml(String markdown, String html) {
        assertThat(html(Json.object().put("markdown", lines(markdown)))).isEqualTo(lines(html));
    }

    @Test
    void writesAsItsOptionsSay() {
        var input = Json.object()
                .put("markdown", "#Title\n\n[a](http://b)\nc ~~d~~\n\na|b\n-|-\n1|2")
                .put("flavor", "vanilla")
                .put("headerLevelStart", 3)
                .put("noHeaderId", true)
                .put("tables", false)
                .put("openLinksInNewWindow", true);

        assertThat(html(input))
                .isEqualTo(
                        "<h3>Title</h3>\n<p><a href=\"http://b\" rel=\"noopener noreferrer\" target=\"_blank\">a</a>\n"
                                + "c ~~d~~</p>\n<p>a|b\n-|-\n1|2</p>");
        assertThat(html(input.put("simpleLineBreaks", true))).contains("</a><br />\nc");
        assertThat(html(input.put("tables", true))).contains("<table>");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '→', quoteCharacter = '§', textBlock = """
            §#Big##§        → <h1 id="big">Big</h1>
            §   ##*b* c §   → <h2 id="bc"><em>b</em> c</h2>
            §    #code§     → <pre><code>#code</code></pre>
            §#######no§     → <p>#######no</p>
            §#§             → <h1 id=""></h1>
            a\\n#b         → <p>a</p>\\n<h1 id="b">b</h1>
            """)
    void readsHeadingsWithoutASpace_unlessItIsForGitHub(String markdown, String html) {
        var input = Json.object().put("markdown", lines(markdown)).put("flavor", "vanilla");

        assertThat(html(input)).isEqualTo(lines(html));
    }

    /** Markup nested too deeply becomes plain text, without loss of content. */
    @Test
    void keepsTheText_howeverDeepMarkdownNestsIt() {
        var quotes = "> ".repeat(1_000) + "deep";
        var emphasis = "*a **b ".repeat(1_000) + "deep" + " c** d*".repeat(1_000);
        var lists = new StringBuilder();
        for (var level = 0; level < 200; level++) {
            lists.append("  ".repeat(level)).append("- at ").append(level).append('\n');
        }

        assertThat(html(Json.object().put("markdown", quotes))).contains("deep");
        assertThat(html(Json.object().put("markdown", emphasis))).contains("deep");
        assertThat(html(Json.object().put("markdown", lists.toString()))).contains("at 0", "at 199");
    }

    /** Each short row is filled up: a text of some kilobytes could request millions of cells. */
    @Test
    void refusesATableWithTooManyCells() {
        var table = "a|".repeat(2_000) + "\n" + "-|".repeat(2_000) + "\n";
        var input = Json.object().put("markdown", table + "a|\n".repeat(600));

        var output = MarkupActions.markdownToHtml().run(FakeStepContext.with(Json.text(input)));

        assertThat(output.cause()).isInstanceOf(PieceFailure.class).hasMessageContaining("at most 1000000 cells");
        assertThat(html(Json.object().put("markdown", table + "a|\n".repeat(400))))
                .contains("<table>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "7", "1.5"})
    void refusesAnInvalidLevel(String level) {
        var input = Json.object().put("markdown", "# a").put("headerLevelStart", Double.parseDouble(level));

        var output = MarkupActions.markdownToHtml().run(FakeStepContext.with(Json.text(input)));

        assertThat(output.cause()).isInstanceOf(PieceFailure.class).hasMessageStartingWith("headerLevelStart");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '→', quoteCharacter = '§', textBlock = """
            <strong>bold</strong> and <em>it</em>    → **bold** and _it_
            <h1>Title</h1><h2>Sub</h2><h3>x</h3>     → Title\\n=====\\n\\nSub\\n---\\n\\n### x
            <p>one<br>two</p><p>three</p>            → one  \\ntwo\\n\\nthree
            <a href="http://a.b" title="T">t</a>     → [t](http://a.b "T")
            <img src="a b.png" alt="x">              → ![x](a%20b.png)
            <p>Hi</p><script>alert(1)</script>       → Hi
            a &lt; b &amp; c_d *e* [f]               → a < b & c\\_d \\*e\\* \\[f\\]
            <p># no</p><p>1. no</p>                  → \\# no\\n\\n1\\. no
            <ul><li>a</li><li>b<ul><li>c</li></ul></li></ul> → *   a\\n*   b\\n    *   c
            <ol start="9"><li>a<li>b</ol>            → 9.  a\\n10. b
            <blockquote><p>a</p><p>b</p></blockquote> → > a\\n>\\n> b
            <pre><code>x &lt; 1\\n  y_z</code></pre> → x < 1\\n      y_z
            <code>a_b</code> <del>c</del>            → `a_b` ~~c~~
            a<hr>b                                   → a\\n\\n* * *\\n\\nb
            <input type="checkbox" checked> done     → [x] done
            <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><b>2|3</b></td></tr></table> → | a | b |\\n| --- | --- |\\n| 1 | **2\\|3** |
            <p>a<p>b                                 → a\\n\\nb
            <b>never closed                          → **never closed**
            </b>a</div>                              → a
            <p>a&eacute;&hellip;b&copy</p>           → aé…b©
            <b><i>a</b>b</i>                         → **_a_**_b_
            <title>no</title><body>a<template>no</template> → a
            <table><tr><td>a<tr><td>b</table>        → | a |\\n| --- |\\n| b |
            """)
    void writesHtmlAsMarkdown(String html, String markdown) {
        var output = markdown(Json.object().put("html", lines(html)));

        assertThat(output.strip()).isEqualTo(lines(markdown).replace("\\\\", "\\"));
    }

    /** Beyond the limit the enclosing markup is omitted, never the text. */
    @Test
    void keepsTheText_howeverDeepItLies() {
        var html = "<div><b>".repeat(1_000) + "deep" + "</b></div>".repeat(1_000);

        assertThat(markdown(Json.object().put("html", html))).contains("deep");
        assertThat(HtmlText.of(html)).isEqualTo("deep");
    }

    @Test
    void writesPlainly_withoutExtensions() {
        var input = Json.object()
                .put("html", "<del>a</del><table><tr><td>b</td></tr></table>")
                .put("gfm", false);

        assertThat(markdown(input)).isEqualTo("a\n\nb");
    }

    /** Texts that take a naive parser hours. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[",
                "*",
                "**a ",
                "_a ",
                "`a``",
                "<a",
                "<",
                "> ",
                "- ",
                "  - a\n",
                "#",
                "# \n",
                "![",
                "\\[",
                "((",
                "&",
                "|-\n",
                "~~",
                " \n",
                "<b>",
                "<li>",
                "<blockquote>",
                "</p>",
                "h",
                "http://a"
            })
    void readsEverythingInLittleTime(String part) {
        var text = part.repeat(200_000 / part.length());

        assertTimeoutPreemptively(MachineSpeed.deadline(Duration.ofSeconds(20)), () -> {
            MarkdownHtml.of(text, new MarkdownHtml.Options(MarkdownHtml.Flavor.GITHUB, 1, true, true, true, false));
            HtmlMarkdown.of(text, true);
            HtmlText.of(text);
        });
    }

    private static String html(ObjectNode input) {
        return MarkupActions.markdownToHtml()
                .run(FakeStepContext.with(Json.text(input)))
                .result()
                .asText();
    }

    private static String markdown(ObjectNode input) {
        return MarkupActions.htmlToMarkdown()
                .run(FakeStepContext.with(Json.text(input)))
                .result()
                .asText();
    }

    private static String lines(String text) {
        return text.replace("\\n", "\n");
    }
}
