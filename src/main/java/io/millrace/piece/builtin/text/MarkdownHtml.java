package io.millrace.piece.builtin.text;

import io.millrace.piece.PieceFailure;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.autolink.AutolinkType;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Converts Markdown to HTML (contract pieces 14.3): CommonMark, in the output format of the package that flows pin.
 * HTML in the text is not sanitized; a caller that shows the result to untrusted users must sanitize it.
 */
final class MarkdownHtml {
    /** Depth limit of blocks: a list counts twice, a quotation once; deeper content is text. */
    private static final int BLOCKS_DEPTH_MAX = 40;

    private static final int INLINE_DEPTH_MAX = 20;
    private static final int TABLE_CELLS_MAX = 1_000_000;

    enum Flavor {
        VANILLA,
        ORIGINAL,
        GITHUB
    }

    /**
     * Rendering options.
     *
     * @param flavor GitHub's has tables, line breaks, struck text, tasks and bare addresses, regardless of the
     *     other options
     * @param headerLevelStart heading level of one number sign
     */
    record Options(
            Flavor flavor,
            int headerLevelStart,
            boolean tables,
            boolean headerIds,
            boolean lineBreaks,
            boolean newWindows) {
        boolean isGitHub() {
            return flavor == Flavor.GITHUB;
        }

        boolean breaksLines() {
            return lineBreaks || isGitHub();
        }

        boolean hasTables() {
            return tables || isGitHub();
        }

        boolean hasHeaderIds() {
            return headerIds && flavor != Flavor.ORIGINAL;
        }
    }

    private MarkdownHtml() {}

    static String of(String markdown, Options options) {
        var extensions = extensions(options);
        var document = parsed(parser(options, extensions), markdown);
        document.accept(new MarkdownAdjustment(options));
        return MarkdownItems.render(renderer(options, extensions), document, options.isGitHub())
                .stripTrailing();
    }

    private static List<Extension> extensions(Options options) {
        var extensions = new ArrayList<Extension>();
        if (options.hasTables()) {
            extensions.add(TablesExtension.builder().maxCells(TABLE_CELLS_MAX).build());
        }
        if (options.isGitHub()) {
            extensions.add(
                    StrikethroughExtension.builder().requireTwoTildes(true).build());
            extensions.add(
                    AutolinkExtension.builder().linkTypes(AutolinkType.URL).build());
        }
        return extensions;
    }

    private static Parser parser(Options options, List<Extension> extensions) {
        var parser = Parser.builder()
                .extensions(extensions)
                .maxOpenBlockParsers(BLOCKS_DEPTH_MAX)
                .maxInlineNesting(INLINE_DEPTH_MAX);
        if (!options.isGitHub()) {
            parser.customBlockParserFactory(new MarkdownHeadings());
        }
        return parser.build();
    }

    /** Parses Markdown; the parser rejects only a table with too many cells. */
    private static Node parsed(Parser parser, String markdown) {
        try {
            return parser.parse(markdown);
        } catch (IllegalArgumentException tooMany) {
            throw PieceFailure.of("markdown: expected tables of at most " + TABLE_CELLS_MAX
                    + " cells, with those that fill up short rows");
        }
    }

    private static HtmlRenderer.Builder renderer(Options options, List<Extension> extensions) {
        var attributes = new MarkdownAttributes(options);
        return HtmlRenderer.builder()
                .extensions(extensions)
                .attributeProviderFactory(_ -> attributes)
                .softbreak(options.breaksLines() ? "<br />\n" : "\n");
    }
}
