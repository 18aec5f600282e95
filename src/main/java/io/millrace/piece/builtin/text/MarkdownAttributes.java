package io.millrace.piece.builtin.text;

import io.millrace.piece.builtin.text.MarkdownHtml.Options;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * The attributes of elements that Markdown becomes: ids of headings, languages of code, alignments, windows of links.
 */
final class MarkdownAttributes implements AttributeProvider {
    private static final TextContentRenderer TEXT =
            TextContentRenderer.builder().build();

    private final Options options;
    private final Map<String, Integer> headerIds = new HashMap<>();

    MarkdownAttributes(Options options) {
        this.options = options;
    }

    @Override
    public void setAttributes(Node node, String tag, Map<String, String> attributes) {
        switch (node) {
            case Heading heading when options.hasHeaderIds() -> attributes.put("id", headerId(TEXT.render(heading)));
            case FencedCodeBlock _ when tag.equals("code") -> language(attributes);
            case TableCell cell -> align(cell, attributes);
            case Link _
            when options.newWindows() -> {
                attributes.put("rel", "noopener noreferrer");
                attributes.put("target", "_blank");
            }
            default -> {
                // Other elements keep the attributes of CommonMark.
            }
        }
    }

    private String headerId(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        var id = options.isGitHub()
                ? lower.replaceAll("[^\\w\\s-]", "").strip().replaceAll("\\s", "-")
                : lower.replaceAll("\\W", "");
        var earlier = headerIds.merge(id, 1, Integer::sum) - 1;
        return earlier == 0 ? id : id + "-" + earlier;
    }

    private static void language(Map<String, String> attributes) {
        var language = attributes.get("class");
        if (language != null) {
            attributes.put("class", language.replaceFirst("^language-", "") + " " + language);
        }
    }

    private static void align(TableCell cell, Map<String, String> attributes) {
        attributes.remove("align");
        if (cell.getAlignment() != null) {
            attributes.put("style", "text-align:" + cell.getAlignment().name().toLowerCase(Locale.ROOT) + ";");
        }
    }
}
