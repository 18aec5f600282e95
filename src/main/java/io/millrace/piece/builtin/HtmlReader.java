package io.millrace.piece.builtin;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads an HTML text from its beginning to its end, once, and tells what it meets. Takes everything that people write: a
 * lone angle bracket is a character, an unknown reference is text, and what is not closed ends with the text.
 */
final class HtmlReader {
    private static final Map<String, String> ENTITIES = Map.ofEntries(
            Map.entry("nbsp", "\u00a0"),
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

    /** What is met, in order. */
    interface Listener {
        /** Characters, references resolved. */
        void text(String text);

        /**
         * An element begins.
         *
         * @param name in small letters, as those of the attributes
         * @return whether what is inside is left out, its end included
         */
        boolean opened(String name, Map<String, String> attributes);

        void closed(String name);
    }

    private final String html;
    private final Listener listener;
    private final StringBuilder text = new StringBuilder();
    private int at;

    private HtmlReader(String html, Listener listener) {
        this.html = html;
        this.listener = listener;
    }

    static void read(String html, Listener listener) {
        new HtmlReader(html, listener).read();
    }

    private void read() {
        while (at < html.length()) {
            var character = html.charAt(at);
            if (character == '<' && opensTag()) {
                tellText();
                tag();
            } else if (character == '&') {
                at = entity(html, at, html.length(), text);
            } else {
                text.append(character);
                at++;
            }
        }
        tellText();
    }

    private void tellText() {
        if (!text.isEmpty()) {
            listener.text(text.toString());
            text.setLength(0);
        }
    }

    private boolean opensTag() {
        if (at + 1 >= html.length()) {
            return false;
        }
        var next = html.charAt(at + 1);
        return Character.isLetter(next) || next == '/' || next == '!' || next == '?';
    }

    private void tag() {
        if (html.startsWith("<!--", at)) {
            var end = html.indexOf("-->", at + 4);
            at = end < 0 ? html.length() : end + 3;
            return;
        }
        var closing = html.charAt(at + 1) == '/';
        var start = at + (closing ? 2 : 1);
        var end = start;
        while (end < html.length() && Character.isLetterOrDigit(html.charAt(end))) {
            end++;
        }
        var name = html.substring(start, end).toLowerCase(Locale.ROOT);
        at = end;
        var attributes = attributes();
        if (closing) {
            listener.closed(name);
        } else if (listener.opened(name, attributes)) {
            skipElement(name);
        }
    }

    /** To behind the tag; an attribute may hold what would end it. */
    private Map<String, String> attributes() {
        var attributes = new LinkedHashMap<String, String>();
        while (at < html.length() && html.charAt(at) != '>') {
            if (Character.isWhitespace(html.charAt(at)) || "/?!\"'=".indexOf(html.charAt(at)) >= 0) {
                at++;
                continue;
            }
            var start = at;
            while (at < html.length()
                    && "=>/".indexOf(html.charAt(at)) < 0
                    && !Character.isWhitespace(html.charAt(at))) {
                at++;
            }
            attributes.putIfAbsent(html.substring(start, at).toLowerCase(Locale.ROOT), value());
        }
        at = Math.min(html.length(), at + 1);
        return attributes;
    }

    private String value() {
        while (at < html.length() && Character.isWhitespace(html.charAt(at))) {
            at++;
        }
        if (at >= html.length() || html.charAt(at) != '=') {
            return "";
        }
        at++;
        while (at < html.length() && Character.isWhitespace(html.charAt(at))) {
            at++;
        }
        var quote = at < html.length() ? html.charAt(at) : ' ';
        var isQuoted = quote == '"' || quote == '\'';
        var start = isQuoted ? ++at : at;
        while (at < html.length() && (isQuoted ? html.charAt(at) != quote : !endsBareValue(html.charAt(at)))) {
            at++;
        }
        var value = decoded(html.substring(start, at));
        at += isQuoted && at < html.length() ? 1 : 0;
        return value;
    }

    private static boolean endsBareValue(char character) {
        return character == '>' || Character.isWhitespace(character);
    }

    private void skipElement(String name) {
        var end = at;
        while ((end = html.indexOf("</", end)) >= 0) {
            if (html.regionMatches(true, end + 2, name, 0, name.length())) {
                at = end + 2 + name.length();
                attributes();
                return;
            }
            end += 2;
        }
        at = html.length();
    }

    private static String decoded(String value) {
        if (value.indexOf('&') < 0) {
            return value;
        }
        var decoded = new StringBuilder();
        for (var i = 0; i < value.length(); ) {
            if (value.charAt(i) == '&') {
                i = entity(value, i, value.length(), decoded);
            } else {
                decoded.append(value.charAt(i++));
            }
        }
        return decoded.toString();
    }

    /** Writes the character that a reference at a place means; answers where the text goes on. */
    private static int entity(String from, int start, int limit, StringBuilder to) {
        var end = from.indexOf(';', start, Math.min(start + ENTITY_LENGTH_MAX, limit));
        var character = end > start ? character(from.substring(start + 1, end)) : null;
        to.append(character == null ? "&" : character);
        return character == null ? start + 1 : end + 1;
    }

    /** Null for what is no reference. */
    private static String character(String name) {
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
