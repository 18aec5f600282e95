package io.millrace.piece.builtin;

import io.millrace.piece.builtin.MarkdownHtml.Options;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A run of Markdown text as HTML: emphasis, code, links, images and what needs escaping. HTML in it stays as it is. The work
 * grows with the text alone, whatever the text is.
 */
final class MarkdownInline {
    private static final String ESCAPABLE = "\\`*_{}[]()#+-.!~|<>\"':=&";
    private static final int DEPTH_MAX = 20;
    private static final int TAG_LENGTH_MAX = 2_000;
    private static final Pattern ENTITY = Pattern.compile("&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z0-9]{1,31});");
    private static final Pattern TARGET =
            Pattern.compile("\\(\\s{0,9}<?([^\\s<>)]{0,2000}+)>?(?:\\s{1,9}[\"']([^\\n]{0,500}?)[\"'])?\\s{0,9}\\)");
    private static final Pattern LABEL = Pattern.compile(" ?\\n? ?\\[([^\\[\\]]{0,200})]");
    private static final Pattern AUTOMATIC = Pattern.compile("<((?:https?|ftp)://[^\\s<>\"]{1,2000})>");
    private static final Pattern MAIL = Pattern.compile("<([\\w.+-]{1,100}@[\\w-]{1,100}(?:\\.[\\w-]{1,100}){1,9})>");
    private static final Pattern BARE = Pattern.compile("(?:https?|ftp)://[^\\s<>\"]{1,2000}");

    /** Where a link of the text's definitions leads. */
    record Definition(String url, String title) {}

    private final Options options;
    private final Map<String, Definition> definitions;
    private final String text;
    private final int depth;
    private final int[] closingBrackets;
    private final Set<String> unclosed = new HashSet<>();
    private final StringBuilder html = new StringBuilder();
    private int at;

    private MarkdownInline(Options options, Map<String, Definition> definitions, String text, int depth) {
        this.options = options;
        this.definitions = definitions;
        this.text = text;
        this.depth = depth;
        this.closingBrackets = brackets(text);
    }

    static String of(Options options, Map<String, Definition> definitions, String text) {
        return inside(options, definitions, text, 0);
    }

    private static String inside(Options options, Map<String, Definition> definitions, String text, int depth) {
        return depth > DEPTH_MAX ? escaped(text) : new MarkdownInline(options, definitions, text, depth).read();
    }

    private String inner(String part) {
        return inside(options, definitions, part, depth + 1);
    }

    /** For each opening bracket the place of the one that closes it; 0 for none. */
    private static int[] brackets(String text) {
        if (text.indexOf('[') < 0) {
            return new int[0];
        }
        var closing = new int[text.length()];
        var open = new int[text.length()];
        var depth = 0;
        for (var i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '\\' -> i++;
                case '[' -> open[depth++] = i;
                case ']' -> {
                    if (depth > 0) {
                        closing[open[--depth]] = i;
                    }
                }
                default -> {
                    // Other characters open and close nothing.
                }
            }
        }
        return closing;
    }

    private String read() {
        while (at < text.length()) {
            var done = switch (text.charAt(at)) {
                case '\\' -> escape();
                case '`' -> code();
                case '!' -> at + 1 < text.length() && text.charAt(at + 1) == '[' && link(at + 1, true);
                case '[' -> link(at, false);
                case '<' -> tag();
                case '&' -> entity();
                case '*', '_' -> emphasis();
                case '~' -> options.isGitHub() && struck();
                case '\n' -> lineEnd();
                case 'h', 'f' -> options.isGitHub() && bareAddress();
                default -> false;
            };
            if (!done) {
                html.append(escaped(text.charAt(at)));
                at++;
            }
        }
        return html.toString();
    }

    private boolean escape() {
        if (at + 1 >= text.length() || ESCAPABLE.indexOf(text.charAt(at + 1)) < 0) {
            return false;
        }
        html.append(escaped(text.charAt(at + 1)));
        at += 2;
        return true;
    }

    private boolean code() {
        var fence = run('`');
        var end = closing(fence, at + fence.length());
        if (end < 0) {
            html.append(fence);
            at += fence.length();
            return true;
        }
        var code = text.substring(at + fence.length(), end).strip();
        html.append("<code>").append(escapedCode(code)).append("</code>");
        at = end + fence.length();
        return true;
    }

    /** The next place of a mark that stands alone, not as a part of a longer one; what was sought in vain is not again. */
    private int closing(String mark, int from) {
        if (unclosed.contains(mark)) {
            return -1;
        }
        var found = text.indexOf(mark, from);
        while (found >= 0) {
            var end = found + mark.length();
            while (end < text.length() && text.charAt(end) == mark.charAt(0)) {
                end++;
            }
            if (end - found == mark.length()) {
                return found;
            }
            found = text.indexOf(mark, end);
        }
        unclosed.add(mark);
        return -1;
    }

    private String run(char character) {
        var end = at;
        while (end < text.length() && text.charAt(end) == character) {
            end++;
        }
        return text.substring(at, end);
    }

    private boolean link(int open, boolean image) {
        var close = closingBrackets[open];
        if (close == 0) {
            return false;
        }
        var label = text.substring(open + 1, close);
        var target = TARGET.matcher(text).region(close + 1, text.length());
        if (target.lookingAt()) {
            return linked(label, new Definition(target.group(1), target.group(2)), image, target.end());
        }
        var name = LABEL.matcher(text).region(close + 1, text.length());
        var named = name.lookingAt();
        var wanted = named && !name.group(1).isEmpty() ? name.group(1) : label;
        var definition = definitions.get(MarkdownHtml.key(wanted));
        return definition != null && linked(label, definition, image, named ? name.end() : close + 1);
    }

    private boolean linked(String label, Definition to, boolean image, int end) {
        var title = to.title() == null ? "" : " title=\"" + attribute(to.title()) + "\"";
        if (image) {
            html.append("<img src=\"")
                    .append(attribute(to.url()))
                    .append("\" alt=\"")
                    .append(attribute(label));
            html.append('"').append(title).append(" />");
        } else {
            html.append("<a href=\"")
                    .append(attribute(to.url()))
                    .append('"')
                    .append(title)
                    .append(window());
            html.append('>').append(inner(label)).append("</a>");
        }
        at = end;
        return true;
    }

    private String window() {
        return options.newWindows() ? " rel=\"noopener noreferrer\" target=\"_blank\"" : "";
    }

    private boolean tag() {
        var automatic = AUTOMATIC.matcher(text).region(at, text.length());
        if (automatic.lookingAt()) {
            return address(automatic.group(1), automatic.group(1), automatic.end() - at);
        }
        var mail = MAIL.matcher(text).region(at, text.length());
        if (mail.lookingAt()) {
            return address("mailto:" + mail.group(1), mail.group(1), mail.end() - at);
        }
        var end = tagEnd();
        if (end < 0) {
            return false;
        }
        html.append(text, at, end);
        at = end;
        return true;
    }

    private int tagEnd() {
        var most = Math.min(text.length(), at + TAG_LENGTH_MAX);
        if (at + 1 >= most || !Character.isLetter(text.charAt(at + 1)) && "/!?".indexOf(text.charAt(at + 1)) < 0) {
            return -1;
        }
        for (var end = at + 1; end < most && text.charAt(end) != '<'; end++) {
            if (text.charAt(end) == '>') {
                return end + 1;
            }
        }
        return -1;
    }

    private boolean address(String url, String shown, int length) {
        html.append("<a href=\"")
                .append(attribute(url))
                .append('"')
                .append(window())
                .append('>');
        html.append(escaped(shown)).append("</a>");
        at += length;
        return true;
    }

    private boolean bareAddress() {
        var isAddress = text.startsWith("http", at) || text.startsWith("ftp://", at);
        if (!isAddress || at > 0 && Character.isLetterOrDigit(text.charAt(at - 1))) {
            return false;
        }
        var bare = BARE.matcher(text).region(at, text.length());
        if (!bare.lookingAt()) {
            return false;
        }
        var url = bare.group();
        while (".,!?;:)'*_~".indexOf(url.charAt(url.length() - 1)) >= 0) {
            url = url.substring(0, url.length() - 1);
        }
        return url.length() > "https://".length() && address(url, url, url.length());
    }

    private boolean entity() {
        var entity = ENTITY.matcher(text).region(at, text.length());
        if (!entity.lookingAt()) {
            return false;
        }
        html.append(entity.group());
        at = entity.end();
        return true;
    }

    private boolean emphasis() {
        var character = text.charAt(at);
        var mark = run(character);
        var from = at + mark.length();
        var end = mark.length() <= 3 && mayOpen(character, from) ? emphasisEnd(mark, from) : -1;
        if (end < 0) {
            html.append(mark);
            at = from;
            return true;
        }
        var content = inner(text.substring(from, end));
        html.append(
                switch (mark.length()) {
                    case 1 -> "<em>" + content + "</em>";
                    case 2 -> "<strong>" + content + "</strong>";
                    default -> "<strong><em>" + content + "</em></strong>";
                });
        at = end + mark.length();
        return true;
    }

    /** An underscore inside a word is one. */
    private boolean mayOpen(char character, int from) {
        return from < text.length()
                && !Character.isWhitespace(text.charAt(from))
                && (character == '*' || at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)));
    }

    private int emphasisEnd(String mark, int from) {
        var end = closing(mark, from + 1);
        while (end >= 0) {
            var behind = end + mark.length();
            var isInWord =
                    mark.charAt(0) == '_' && behind < text.length() && Character.isLetterOrDigit(text.charAt(behind));
            if (!Character.isWhitespace(text.charAt(end - 1)) && !isInWord) {
                return end;
            }
            end = closing(mark, behind);
        }
        return -1;
    }

    private boolean struck() {
        var from = at + 2;
        var end = text.startsWith("~~", at) ? closing("~~", from) : -1;
        if (end < 0) {
            return false;
        }
        html.append("<del>").append(inner(text.substring(from, end))).append("</del>");
        at = end + 2;
        return true;
    }

    private boolean lineEnd() {
        var forced = at > 1 && text.charAt(at - 1) == ' ' && text.charAt(at - 2) == ' ';
        if (!forced && !options.breaksLines()) {
            return false;
        }
        while (!html.isEmpty() && html.charAt(html.length() - 1) == ' ') {
            html.setLength(html.length() - 1);
        }
        html.append("<br />\n");
        at++;
        return true;
    }

    private static String escaped(char character) {
        return switch (character) {
            case '<' -> "&lt;";
            case '&' -> "&amp;";
            default -> String.valueOf(character);
        };
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    static String escapedCode(String code) {
        return escaped(code).replace(">", "&gt;");
    }

    private static String attribute(String value) {
        return escaped(value).replace("\"", "&quot;");
    }
}
