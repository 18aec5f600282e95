package io.millrace.piece;

/** Reduces an HTML or XML page to its visible text (contract flows-and-engine 11.3). */
final class MarkupText {
    /** Limit on the parsed part of a page; error messages are near its beginning. */
    private static final int READ_MAX = 100_000;

    private static final String[][] ENTITIES = {
        {"&nbsp;", " "}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&apos;", "'"}, {"&amp;", "&"}
    };

    private MarkupText() {}

    static boolean isMarkup(String text) {
        var start = text.stripLeading();
        return start.length() > 2
                && start.charAt(0) == '<'
                && (Character.isLetter(start.charAt(1)) || start.charAt(1) == '!' || start.charAt(1) == '?')
                && start.indexOf('>') > 0;
    }

    static String reduce(String page) {
        var read = page.substring(0, Math.min(page.length(), READ_MAX));
        var title = readable(inside(read, "title"));
        var body = read;
        for (var element : new String[] {"head", "script", "style"}) {
            body = without(body, element);
        }
        var text = readable(withoutTags(body));
        if (title.isEmpty() || text.startsWith(title)) {
            return text;
        }
        return text.isEmpty() ? title : title + " — " + text;
    }

    /** Names of elements are ASCII; the lower case of other letters can be longer, which would move all positions behind. */
    private static String lowerAscii(String page) {
        var lower = new StringBuilder(page.length());
        for (var at = 0; at < page.length(); at++) {
            var character = page.charAt(at);
            lower.append(character >= 'A' && character <= 'Z' ? (char) (character + ('a' - 'A')) : character);
        }
        return lower.toString();
    }

    private static String inside(String page, String element) {
        var lower = lowerAscii(page);
        var open = startOf(lower, element, 0);
        var start = open < 0 ? -1 : page.indexOf('>', open);
        var end = start < 0 ? -1 : lower.indexOf("</" + element, start);
        return end < 0 ? "" : withoutTags(page.substring(start + 1, end));
    }

    private static String without(String page, String element) {
        var lower = lowerAscii(page);
        var kept = new StringBuilder();
        var from = 0;
        var open = startOf(lower, element, 0);
        while (open >= 0) {
            kept.append(page, from, open).append(' ');
            var end = lower.indexOf("</" + element, open);
            var close = end < 0 ? -1 : page.indexOf('>', end);
            if (close < 0) {
                return kept.toString();
            }
            from = close + 1;
            open = startOf(lower, element, from);
        }
        return kept.append(page, from, page.length()).toString();
    }

    /** Finds the opening tag of an element by its exact name: head does not match header. */
    private static int startOf(String lower, String element, int from) {
        var open = lower.indexOf("<" + element, from);
        while (open >= 0) {
            var next = open + element.length() + 1;
            if (next >= lower.length() || !Character.isLetterOrDigit(lower.charAt(next))) {
                return open;
            }
            open = lower.indexOf("<" + element, next);
        }
        return -1;
    }

    private static String withoutTags(String page) {
        var text = new StringBuilder();
        var from = 0;
        while (from < page.length()) {
            var open = page.indexOf('<', from);
            if (open < 0) {
                return text.append(page, from, page.length()).toString();
            }
            text.append(page, from, open).append(' ');
            var isComment = page.startsWith("<!--", open);
            var close = page.indexOf(isComment ? "-->" : ">", open);
            if (close < 0) {
                return text.toString();
            }
            from = close + (isComment ? 3 : 1);
        }
        return text.toString();
    }

    private static String readable(String text) {
        var decoded = text;
        for (var entity : ENTITIES) {
            decoded = decoded.replace(entity[0], entity[1]);
        }
        return decoded.replaceAll("\\s+", " ").strip();
    }
}
