package io.millrace.piece.builtin.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.builtin.text.MarkdownHtml.Flavor;
import io.millrace.piece.property.Property;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.Locale;

/** The actions of the Text Helper that read and write HTML and Markdown (contract pieces 14.3). */
final class MarkupActions {
    /** Limit on the text length in characters; parsing needs several times its size. */
    private static final int LENGTH_MAX = 2 << 20;

    private static final Property FLAVOR = Props.choice(
                    "Flavor of Markdown", true, "Default", "vanilla", "Original", "original", "GitHub", "github")
            .describedAs("The dialect that the text is written in.")
            .defaultingTo(TextNode.valueOf("github"));

    private MarkupActions() {}

    static ComputedAction markdownToHtml() {
        var props = Props.of(
                Props.named("markdown", Props.longText("Markdown Content", true)),
                Props.named("flavor", FLAVOR),
                Props.named(
                        "headerLevelStart",
                        Props.number("Minimum Header Level", true)
                                .describedAs("Heading level of a single number sign, from 1 to 6.")
                                .defaultingTo(IntNode.valueOf(1))),
                Props.named("tables", flag("Support Tables", "Whether to parse tables.", true)),
                Props.named("noHeaderId", flag("No Header ID", "Whether to omit heading ids.", false)),
                Props.named(
                        "simpleLineBreaks",
                        flag("Simple Line Breaks", "Whether to keep line breaks in the result.", false)),
                Props.named(
                        "openLinksInNewWindow",
                        flag("Open Links in New Window", "Whether links open in a new window.", false)));
        return ComputedAction.linear(
                ComputedAction.pure("markdown_to_html", "Markdown to HTML", "Converts Markdown to HTML.", props),
                MarkupActions::html);
    }

    private static Property flag(String displayName, String description, boolean otherwise) {
        return Props.checkbox(displayName, true).describedAs(description).defaultingTo(BooleanNode.valueOf(otherwise));
    }

    private static JsonNode html(ObjectNode input) {
        var level = input.has("headerLevelStart") ? JsNumbers.of(input.get("headerLevelStart")) : 1;
        if (level != Math.rint(level) || level < 1 || level > 6) {
            throw PieceFailure.of("headerLevelStart: expected a whole number from 1 to 6, found "
                    + input.path("headerLevelStart").asText());
        }
        var flavor = Props.chosen(input, "flavor", FLAVOR, "github").toUpperCase(Locale.ROOT);
        var options = new MarkdownHtml.Options(
                Flavor.valueOf(flavor),
                (int) level,
                input.path("tables").asBoolean(true),
                !input.path("noHeaderId").asBoolean(false),
                input.path("simpleLineBreaks").asBoolean(false),
                input.path("openLinksInNewWindow").asBoolean(false));
        return TextNode.valueOf(MarkdownHtml.of(text(input, "markdown"), options));
    }

    static ComputedAction htmlToMarkdown() {
        var props = Props.of(
                Props.named("html", Props.longText("HTML Content", true)),
                Props.named(
                        "gfm",
                        Props.checkbox("GitHub Flavored Markdown", false)
                                .describedAs(
                                        "Whether to write tables, task lists and strikethrough as GitHub Flavored Markdown.")
                                .defaultingTo(BooleanNode.TRUE)));
        return ComputedAction.linear(
                ComputedAction.pure("html_to_markdown", "HTML to Markdown", "Converts HTML to Markdown.", props),
                input -> TextNode.valueOf(
                        HtmlMarkdown.of(text(input, "html"), input.path("gfm").asBoolean(true))));
    }

    static ComputedAction stripHtml() {
        var props = Props.of(Props.named("html", Props.longText("HTML content", true)));
        return ComputedAction.linear(
                ComputedAction.pure("stripHtml", "Remove HTML Tags", "Extracts the text of an HTML page.", props),
                input -> TextNode.valueOf(HtmlText.of(input.path("html").asText(""))));
    }

    private static String text(ObjectNode input, String name) {
        var text = input.path(name).asText("");
        if (text.length() > LENGTH_MAX) {
            throw PieceFailure.of(
                    name + ": expected a text of at most " + LENGTH_MAX + " characters, found one of " + text.length());
        }
        return text;
    }
}
