package io.millrace.piece.builtin;

import io.millrace.piece.builtin.MarkdownInline.Definition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Markdown as HTML, block by block (contract pieces 14.3). HTML in the text stays as it is: whoever shows the result to
 * strangers cleans it.
 */
final class MarkdownHtml {
    private static final int DEPTH_MAX = 20;

    private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}+|~{3,}+)\\s*+([^\\s`]{0,100}+)[^`]{0,1000}+");
    private static final Pattern HEADING = Pattern.compile("(#{1,6})(\\s*)(.*)");
    private static final Pattern UNDERLINE = Pattern.compile("(=+|-+)\\s*");
    private static final Pattern QUOTE = Pattern.compile(" {0,3}> ?(.*)");
    private static final Pattern DEFINITION =
            Pattern.compile(" {0,3}\\[([^\\]]{1,200})]:\\s*<?([^\\s>]{1,2000})>?(?:\\s+[\"'(](.{0,500})[\"')])?\\s*");
    private static final Pattern BLOCK_TAG = Pattern.compile(
            "</?(?:address|article|aside|blockquote|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|iframe|"
                    + "main|math|nav|noscript|ol|p|pre|script|section|style|svg|table|ul|video|audio|canvas)\\b.*",
            Pattern.CASE_INSENSITIVE);

    /** The dialects that the action offers. */
    enum Flavor {
        VANILLA,
        ORIGINAL,
        GITHUB
    }

    /**
     * How it is written.
     *
     * @param flavor GitHub's has tables, line breaks, struck text, tasks and bare addresses whatever else is said
     * @param headerLevelStart what one number sign stands for
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
    }

    private final Options options;
    private final Map<String, Definition> definitions = new HashMap<>();
    private final Map<String, Integer> headerIds = new HashMap<>();

    private MarkdownHtml(Options options) {
        this.options = options;
    }

    static String of(String markdown, Options options) {
        var lines = new ArrayList<String>();
        markdown.lines().map(line -> line.replace("\t", "    ")).forEach(lines::add);
        var document = new MarkdownHtml(options);
        return document.blocks(document.withoutDefinitions(lines), 0);
    }

    /** What a definition is looked up by. */
    static String key(String name) {
        return name.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }

    private List<String> withoutDefinitions(List<String> lines) {
        var left = new ArrayList<String>();
        var fenced = false;
        for (var line : lines) {
            fenced ^= FENCE.matcher(line).matches();
            var definition = DEFINITION.matcher(line);
            if (!fenced && definition.matches()) {
                definitions.putIfAbsent(
                        key(definition.group(1)), new Definition(definition.group(2), definition.group(3)));
            } else {
                left.add(line);
            }
        }
        return left;
    }

    /** The blocks of some lines; what is nested too deeply is text. */
    String blocks(List<String> lines, int depth) {
        var blocks = new ArrayList<String>();
        var at = new Cursor(lines);
        while (at.hasMore()) {
            var line = at.line();
            if (line.isBlank()) {
                at.next();
            } else if (FENCE.matcher(line).matches()) {
                blocks.add(fence(at));
            } else if (isHeading(line)) {
                blocks.add(heading(at));
            } else if (isRule(line)) {
                at.next();
                blocks.add("<hr />");
            } else if (QUOTE.matcher(line).matches() && depth < DEPTH_MAX) {
                blocks.add(quote(at, depth));
            } else if (MarkdownList.isItem(line) && depth < DEPTH_MAX) {
                blocks.add(new MarkdownList(this, options.isGitHub()).read(at, depth));
            } else if (line.startsWith("    ")) {
                blocks.add(indentedCode(at));
            } else if (options.hasTables() && MarkdownTable.begins(at)) {
                blocks.add(MarkdownTable.read(at, this::inline));
            } else if (BLOCK_TAG.matcher(line).lookingAt()) {
                blocks.add(at.takeWhile(next -> !next.isBlank()));
            } else {
                blocks.add(paragraph(at));
            }
        }
        return String.join("\n", blocks);
    }

    String inline(String text) {
        return MarkdownInline.of(options, definitions, text);
    }

    private static String fence(Cursor at) {
        var opening = FENCE.matcher(at.next());
        if (!opening.matches()) {
            throw new IllegalStateException("expected the beginning of a block of code");
        }
        var mark = opening.group(1);
        var code = at.takeWhile(line -> !line.strip().startsWith(mark));
        if (at.hasMore()) {
            at.next();
        }
        var language = opening.group(2);
        var type = language.isEmpty() ? "" : " class=\"" + language + " language-" + language + "\"";
        return "<pre><code" + type + ">" + MarkdownInline.escapedCode(code) + "</code></pre>";
    }

    /** GitHub wants a space behind the number signs. */
    private boolean isHeading(String line) {
        var heading = HEADING.matcher(line);
        return heading.matches() && (!heading.group(2).isEmpty() || !options.isGitHub());
    }

    private String heading(Cursor at) {
        var heading = HEADING.matcher(at.next());
        return heading.matches() ? heading(heading.group(1).length(), withoutClosing(heading.group(3))) : "";
    }

    /** The number signs that may end a heading say nothing. */
    private static String withoutClosing(String text) {
        var end = text.stripTrailing().length();
        while (end > 0 && text.charAt(end - 1) == '#') {
            end--;
        }
        return text.substring(0, end).strip();
    }

    /** Three or more of one mark, perhaps apart, and nothing else. */
    private static boolean isRule(String line) {
        var mark = line.strip();
        if (line.startsWith("    ") || mark.isEmpty() || "*-_".indexOf(mark.charAt(0)) < 0) {
            return false;
        }
        return mark.chars().filter(character -> character == mark.charAt(0)).count() >= 3
                && mark.chars().allMatch(character -> character == mark.charAt(0) || character == ' ');
    }

    private String heading(int level, String text) {
        var tag = "h" + Math.min(6, level - 1 + options.headerLevelStart());
        var id = options.headerIds() && options.flavor() != Flavor.ORIGINAL ? " id=\"" + headerId(text) + "\"" : "";
        return "<" + tag + id + ">" + inline(text) + "</" + tag + ">";
    }

    private String headerId(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        var id = options.isGitHub()
                ? lower.replaceAll("[^\\w\\s-]", "").strip().replaceAll("\\s", "-")
                : lower.replaceAll("\\W", "");
        var earlier = headerIds.merge(id, 1, Integer::sum) - 1;
        return earlier == 0 ? id : id + "-" + earlier;
    }

    private String quote(Cursor at, int depth) {
        var quoted = new ArrayList<String>();
        while (at.hasMore() && !at.line().isBlank()) {
            var line = QUOTE.matcher(at.line());
            // A paragraph may go on without the mark.
            quoted.add(line.matches() ? line.group(1) : at.line());
            at.next();
        }
        return "<blockquote>\n" + blocks(quoted, depth + 1) + "\n</blockquote>";
    }

    private static String indentedCode(Cursor at) {
        var code = at.takeWhile(line -> line.isBlank() || line.startsWith("    "))
                .replaceAll("(?m)^ {1,4}", "")
                .stripTrailing();
        return "<pre><code>" + MarkdownInline.escapedCode(code) + "</code></pre>";
    }

    private String paragraph(Cursor at) {
        var first = at.next().strip();
        if (at.hasMore() && UNDERLINE.matcher(at.line()).matches()) {
            return heading(at.next().startsWith("=") ? 1 : 2, first);
        }
        var rest = at.takeWhile(line -> !line.isBlank() && !interrupts(line));
        var text = rest.isEmpty() ? first : first(first, rest);
        return "<p>" + inline(text) + "</p>";
    }

    private static String first(String first, String rest) {
        return first + "\n" + rest.replaceAll("(?m)^ {1,3}", "");
    }

    private boolean interrupts(String line) {
        return FENCE.matcher(line).matches()
                || isHeading(line)
                || isRule(line)
                || QUOTE.matcher(line).matches()
                || MarkdownList.isItem(line) && !line.startsWith("    ")
                || BLOCK_TAG.matcher(line).lookingAt();
    }

    /** Lines that are read one after the other. */
    static final class Cursor {
        private final List<String> lines;
        private int at;

        Cursor(List<String> lines) {
            this.lines = lines;
        }

        boolean hasMore() {
            return at < lines.size();
        }

        String line() {
            return lines.get(at);
        }

        /** The line after this one; empty at the end. */
        String following() {
            return at + 1 < lines.size() ? lines.get(at + 1) : "";
        }

        String next() {
            return lines.get(at++);
        }

        String takeWhile(Predicate<String> goesOn) {
            var taken = new ArrayList<String>();
            while (hasMore() && goesOn.test(line())) {
                taken.add(next());
            }
            return String.join("\n", taken);
        }
    }
}
