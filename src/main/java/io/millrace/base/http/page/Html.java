package io.millrace.base.http.page;

import java.util.regex.Pattern;

/** Escapes text for HTML, so that nothing is written to a page unescaped. */
public final class Html {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern PARAGRAPHS = Pattern.compile("\n\\s*\n");

    private Html() {}

    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    public static String code(String text) {
        return "<code>" + escape(text) + "</code>";
    }

    /** A line of prose in which backquotes mark code. */
    public static String inline(String text) {
        return CODE.matcher(escape(text.strip())).replaceAll("<code>$1</code>");
    }

    public static String prose(String text) {
        var html = new StringBuilder();
        if (!text.isBlank()) {
            for (var paragraph : PARAGRAPHS.split(text.strip())) {
                html.append("<p>").append(inline(paragraph)).append("</p>\n");
            }
        }
        return html.toString();
    }

    public static String anchor(String prefix, String name) {
        return prefix + "-" + name.replaceAll("[^A-Za-z0-9]+", "-");
    }
}
