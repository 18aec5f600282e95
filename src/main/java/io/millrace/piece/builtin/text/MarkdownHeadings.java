package io.millrace.piece.builtin.text;

import java.util.regex.Pattern;
import org.commonmark.node.Block;
import org.commonmark.node.Heading;
import org.commonmark.parser.InlineParser;
import org.commonmark.parser.SourceLine;
import org.commonmark.parser.SourceLines;
import org.commonmark.parser.block.AbstractBlockParser;
import org.commonmark.parser.block.BlockContinue;
import org.commonmark.parser.block.BlockParserFactory;
import org.commonmark.parser.block.BlockStart;
import org.commonmark.parser.block.MatchedBlockParser;
import org.commonmark.parser.block.ParserState;

/** Headings without a space after the number signs, as in the dialect of GitHub. */
final class MarkdownHeadings implements BlockParserFactory {
    private static final int CODE_INDENT = 4;
    private static final Pattern SIGNS = Pattern.compile("(#{1,6}+)[^#\\s]");

    @Override
    public BlockStart tryStart(ParserState state, MatchedBlockParser matched) {
        var line = state.getLine();
        var signs = SIGNS.matcher(line.getContent())
                .region(state.getNextNonSpaceIndex(), line.getContent().length());
        return state.getIndent() < CODE_INDENT && signs.lookingAt()
                ? BlockStart.of(new HeadingParser(signs.end(1) - signs.start(), withoutClosing(line, signs.end(1))))
                        .atIndex(line.getContent().length())
                : BlockStart.none();
    }

    private static SourceLine withoutClosing(SourceLine line, int from) {
        var text = line.getContent().toString();
        var end = text.stripTrailing().length();
        while (end > from && text.charAt(end - 1) == '#') {
            end--;
        }
        return line.substring(
                from, Math.max(from, text.substring(0, end).stripTrailing().length()));
    }

    private static final class HeadingParser extends AbstractBlockParser {
        private final Heading heading = new Heading();
        private final SourceLine content;

        HeadingParser(int level, SourceLine content) {
            this.content = content;
            heading.setLevel(level);
        }

        @Override
        public Block getBlock() {
            return heading;
        }

        @Override
        public BlockContinue tryContinue(ParserState state) {
            return BlockContinue.none();
        }

        @Override
        public void parseInlines(InlineParser parser) {
            parser.parse(SourceLines.of(content), heading);
        }
    }
}
