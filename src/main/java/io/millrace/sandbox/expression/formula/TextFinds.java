package io.millrace.sandbox.expression.formula;

import io.millrace.sandbox.expression.value.JsText;

/** Finds addresses in running text in one pass: a regular expression would scan a long word again from each of its characters. */
final class TextFinds {
    private TextFinds() {}

    /** The first e-mail address; empty when there is none. */
    static String email(String text) {
        for (var at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            var start = at;
            while (start > 0 && isLocal(text.charAt(start - 1))) {
                start--;
            }
            var end = endOfDomain(text, at + 1);
            if (start < at && end > 0) {
                return text.substring(start, end);
            }
        }
        return "";
    }

    /** End of a domain that begins here and whose last part has two characters or more; -1 if there is none. */
    private static int endOfDomain(String text, int start) {
        var end = start;
        while (end < text.length() && isDomain(text.charAt(end))) {
            end++;
        }
        for (var dot = end - 1; dot > start; dot--) {
            if (text.charAt(dot) != '.') {
                continue;
            }
            var last = dot + 1;
            while (last < end && isLetter(text.charAt(last))) {
                last++;
            }
            if (last - dot > 2) {
                return last;
            }
        }
        return -1;
    }

    /** The first http or https address, up to the next white space; empty when there is none. */
    static String url(String text) {
        for (var at = text.indexOf("http"); at >= 0; at = text.indexOf("http", at + 1)) {
            var rest = text.startsWith("s", at + 4) ? at + 5 : at + 4;
            var end = rest + 3;
            while (text.startsWith("://", rest) && end < text.length() && !JsText.isSpace(text.charAt(end))) {
                end++;
            }
            if (end > rest + 3) {
                return text.substring(at, end);
            }
        }
        return "";
    }

    private static boolean isLocal(char c) {
        return isLetter(c) || c >= '0' && c <= '9' || "._%+-".indexOf(c) >= 0;
    }

    private static boolean isDomain(char c) {
        return isLetter(c) || c >= '0' && c <= '9' || c == '.' || c == '-';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
