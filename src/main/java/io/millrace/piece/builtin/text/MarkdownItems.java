package io.millrace.piece.builtin.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.commonmark.renderer.html.CoreHtmlNodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;

/** Renders list items without line ends around their content, tasks with check boxes, and text with few escapes. */
final class MarkdownItems extends CoreHtmlNodeRenderer {
    private static final Pattern TASK = Pattern.compile("\\[([ xX])] ");
    private static final Map<String, String> TASK_ITEM = attributes("task-list-item", "list-style-type: none;");
    private static final String BOX =
            "<input type=\"checkbox\" disabled style=\"margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;\"";

    private final Function<Node, String> inner;
    private final boolean hasTasks;

    private MarkdownItems(HtmlNodeRendererContext context, Function<Node, String> inner, boolean hasTasks) {
        super(context);
        this.inner = inner;
        this.hasTasks = hasTasks;
    }

    /**
     * Renders the list items of a document.
     *
     * @param hasTasks true if items may begin with a check box
     */
    static String render(HtmlRenderer.Builder builder, Node document, boolean hasTasks) {
        Function<Node, String> inner = node -> builder.build().render(node);
        builder.nodeRendererFactory(context -> new MarkdownItems(context, inner, hasTasks));
        return inner.apply(document);
    }

    private static Map<String, String> attributes(String type, String style) {
        var attributes = new LinkedHashMap<String, String>();
        attributes.put("class", type);
        attributes.put("style", style);
        return attributes;
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
        return Set.of(ListItem.class, Text.class);
    }

    @Override
    public void visit(Text text) {
        context.getWriter().raw(text.getLiteral().replace("&", "&amp;").replace("<", "&lt;"));
    }

    @Override
    public void visit(ListItem item) {
        var html = context.getWriter();
        var box = hasTasks ? takeBox(item) : "";
        html.tag("li", box.isEmpty() ? Map.of() : TASK_ITEM);
        html.raw(box);
        for (var child = item.getFirstChild(); child != null; child = child.getNext()) {
            html.raw(inner.apply(child).stripTrailing());
            if (child.getNext() != null) {
                html.line();
            }
        }
        html.raw("</li>");
        html.line();
    }

    private static String takeBox(ListItem item) {
        if (!(item.getFirstChild() instanceof Paragraph paragraph)
                || !(paragraph.getFirstChild() instanceof Text text)) {
            return "";
        }
        var task = TASK.matcher(text.getLiteral());
        if (!task.lookingAt()) {
            return "";
        }
        text.setLiteral(text.getLiteral().substring(task.end()));
        return BOX + (task.group(1).isBlank() ? "> " : " checked> ");
    }
}
