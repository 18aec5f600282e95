package io.millrace.piece.builtin.text;

import io.millrace.piece.builtin.text.MarkdownHtml.Options;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.OrderedList;
import org.commonmark.node.StrongEmphasis;

/** Adjusts a CommonMark document to the output of the package that flows pin. */
final class MarkdownAdjustment extends AbstractVisitor {
    private static final int LEVEL_MAX = 6;

    private final Options options;

    MarkdownAdjustment(Options options) {
        this.options = options;
    }

    @Override
    public void visit(Heading heading) {
        heading.setLevel(Math.min(LEVEL_MAX, heading.getLevel() - 1 + options.headerLevelStart()));
        visitChildren(heading);
    }

    @Override
    public void visit(OrderedList list) {
        list.setMarkerStartNumber(1);
        visitChildren(list);
    }

    @Override
    public void visit(FencedCodeBlock code) {
        code.setLiteral(withoutLineEnd(code.getLiteral()));
    }

    @Override
    public void visit(IndentedCodeBlock code) {
        code.setLiteral(withoutLineEnd(code.getLiteral()));
    }

    private static String withoutLineEnd(String code) {
        return code.endsWith("\n") ? code.substring(0, code.length() - 1) : code;
    }

    /** Renders triple markers as emphasis within strong emphasis, not the other way round. */
    @Override
    public void visit(Emphasis emphasis) {
        if (emphasis.getFirstChild() instanceof StrongEmphasis strong && strong.getNext() == null) {
            while (strong.getFirstChild() != null) {
                emphasis.appendChild(strong.getFirstChild());
            }
            strong.unlink();
            emphasis.insertAfter(strong);
            strong.appendChild(emphasis);
        }
        visitChildren(emphasis);
    }
}
