package io.millrace.piece.builtin;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a reader sees of an HTML text: no tags, no comments, nothing of scripts and styles. Elements that stand on lines
 * of their own are parted by a space.
 */
final class HtmlText {
    private static final Set<String> HIDDEN = Set.of("script", "style", "head", "template", "noscript");

    private static final Set<String> INLINE = Set.of(
            "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp", "small",
            "span", "strong", "sub", "sup", "time", "u", "var", "wbr");

    private static final Map<String, String> ENTITIES = Map.ofEntries(
            Map.entry("nbsp", " "),
            Map.entry("amp", "&"),
            Map.entry("lt", "<"),
            Map.entry("gt", ">"),
            Map.entry("quot", "\""),
            Map.entry("apos", "'"),
            Map.entry("copy", "©"),
            Map.entry("reg", "®"),
            Map.entry("trade", "™"),
            Map.entry("euro", "€"),
            Map.entry("hellip", "…"),
            Map.entry("ndash", "–"),
            Map.entry("mdash", "—"),
            Map.entry("lsquo", "‘"),
            Map.entry("rsquo", "’"),
            Map.entry("ldquo", "“"),
            Map.entry("rdquo", "”"),
            Map.entry("bull", "•"));

    /** Longest reference to a character that is looked for. */
    private static final int ENTITY_LENGTH_MAX = 10;

    private final String html;
    private final StringBuilder text = new StringBuilder();
    private int at;

    private HtmlText(String html) {
        this.html = html;
    }

    static String of(String html) {
        return new HtmlText(html).read();
    }

    private String read() {
        while (at < html.length()) {
            var character = html.charAt(at);
            if (character == '<' && opensTag()) {
                tag();
            } else if (character == '&') {
                entity();
            } else {
                text.append(character);
                at++;
            }
        }
        return text.toString().replaceAll("[ \\t\\x0B\\f\\r\\n]+", " ").strip();
    }

    /** A lone angle bracket is a character like any other. */
    private boolean opensTag() {
        if (at + 1 >= html.length()) {
            return false;
        }
        var next = html.charAt(at + 1);
        return Character.isLetter(next) || next == '/' || next == '!' || next == '?';
    }

    private void tag() {
        if (html.startsWith("<!--", at)) {
            skipPast("-->", at + 4);
            return;
        }
        var closing = html.charAt(at + 1) == '/';
        var name = nameAt(at + (closing ? 2 : 1));
        skipTag();
        if (!INLINE.contains(name)) {
            text.append(' ');
        }
        if (!closing && HIDDEN.contains(name)) {
            skipElement(name);
        }
    }

    private String nameAt(int start) {
        var end = start;
        while (end < html.length() && Character.isLetterOrDigit(html.charAt(end))) {
            end++;
        }
        return html.substring(start, end).toLowerCase(Locale.ROOT);
    }

    /** To behind the tag; an attribute may hold what would end it. */
    private void skipTag() {
        var quote = 0;
        while (at < html.length()) {
            var character = html.charAt(at++);
            if (quote != 0) {
                quote = character == quote ? 0 : quote;
            } else if (character == '"' || character == '\'') {
                quote = character;
            } else if (character == '>') {
                return;
            }
        }
    }

    private void skipElement(String name) {
        var end = at;
        while (end < html.length()) {
            end = html.indexOf("</", end);
            if (end < 0) {
                at = html.length();
                return;
            }
            if (html.regionMatches(true, end + 2, name, 0, name.length())) {
                at = end;
                skipTag();
                return;
            }
            end += 2;
        }
    }

    private void skipPast(String mark, int from) {
        var end = html.indexOf(mark, from);
        at = end < 0 ? html.length() : end + mark.length();
    }

    private void entity() {
        var end = html.indexOf(';', at, Math.min(at + ENTITY_LENGTH_MAX, html.length()));
        if (end > at) {
            var decoded = decoded(html.substring(at + 1, end));
            if (decoded != null) {
                text.append(decoded);
                at = end + 1;
                return;
            }
        }
        text.append('&');
        at++;
    }

    /** Null for what is no reference. */
    private static String decoded(String name) {
        if (!name.startsWith("#")) {
            return ENTITIES.get(name);
        }
        try {
            var hex = name.length() > 1 && (name.charAt(1) == 'x' || name.charAt(1) == 'X');
            var point = hex ? Integer.parseInt(name.substring(2), 16) : Integer.parseInt(name.substring(1));
            return Character.isValidCodePoint(point) && point != 0 ? Character.toString(point) : null;
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }
}
