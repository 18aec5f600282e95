package io.millrace.sandbox.expression.value;

/**
 * Search for a text in a text, in time proportional to the sum of their lengths: that of {@link String#indexOf} is the product in
 * the worst case, which hostile texts reach.
 *
 * <p>The two-way algorithm of Crochemore and Perrin (1991), which needs no memory.
 */
public final class Substrings {
    /** Comparisons that {@link String#indexOf} makes in less time than this search needs to begin. */
    private static final long PRODUCT_MAX = 1 << 16;

    /** Longest text for which the product is in proportion to the length of the searched text. */
    private static final int SHORT_MAX = 16;

    private Substrings() {}

    public static boolean contains(String text, String wanted) {
        return first(text, wanted, 0) >= 0;
    }

    /** First position from the given one; -1 if there is none. */
    public static int first(String text, String wanted, int from) {
        return new Search(wanted).first(text, from);
    }

    /** Last position up to the given one; -1 if there is none. */
    public static int last(String text, String wanted, int to) {
        if (isShort(text.length(), wanted)) {
            return text.lastIndexOf(wanted, to);
        }
        var end = (int) Math.min((long) to + wanted.length(), text.length());
        var found = first(reversed(text, end), reversed(wanted, wanted.length()), 0);
        return found < 0 ? -1 : end - found - wanted.length();
    }

    /** Text with every occurrence of a nonempty text replaced. */
    public static String replaced(String text, String wanted, String by) {
        var search = new Search(wanted);
        var at = search.first(text, 0);
        if (at < 0) {
            return text;
        }
        var result = new StringBuilder();
        var from = 0;
        for (; at >= 0; at = search.first(text, from)) {
            result.append(text, from, at).append(by);
            from = at + wanted.length();
        }
        return result.append(text, from, text.length()).toString();
    }

    private static boolean isShort(int length, String wanted) {
        return wanted.length() <= SHORT_MAX
                || (long) length * wanted.length() <= PRODUCT_MAX
                || wanted.length() > length;
    }

    private static String reversed(String text, int end) {
        var characters = new char[end];
        for (var index = 0; index < end; index++) {
            characters[index] = text.charAt(end - 1 - index);
        }
        return new String(characters);
    }

    /** Searches for one text, which is examined once: for loops over all positions. Confined to one thread. */
    public static final class Search {
        private final String wanted;
        private Suffix suffix;
        private boolean isRepeated;

        public Search(String wanted) {
            this.wanted = wanted;
        }

        /** First position in a text from the given one; -1 if there is none. */
        public int first(String text, int from) {
            if (isShort(text.length() - from, wanted)) {
                return text.indexOf(wanted, from);
            }
            if (suffix == null) {
                var ascending = maximalSuffix(wanted, false);
                var descending = maximalSuffix(wanted, true);
                suffix = ascending.start() > descending.start() ? ascending : descending;
                isRepeated = isRepeated(wanted, suffix);
            }
            return isRepeated
                    ? foundRepetition(text, Math.max(0, from), wanted, suffix)
                    : foundOther(text, Math.max(0, from), wanted, suffix.start());
        }
    }

    /** Suffix that is the last in an order of the characters. */
    private record Suffix(int start, int period) {}

    private static Suffix maximalSuffix(String wanted, boolean isDescending) {
        var before = -1;
        var candidate = 0;
        var offset = 1;
        var period = 1;
        while (candidate + offset < wanted.length()) {
            var character = wanted.charAt(candidate + offset);
            var other = wanted.charAt(before + offset);
            if (character == other) {
                if (offset == period) {
                    candidate += period;
                    offset = 1;
                } else {
                    offset++;
                }
            } else if (character < other != isDescending) {
                candidate += offset;
                offset = 1;
                period = candidate - before;
            } else {
                before = candidate++;
                offset = 1;
                period = 1;
            }
        }
        return new Suffix(before + 1, period);
    }

    private static boolean isRepeated(String wanted, Suffix suffix) {
        for (var index = 0; index < suffix.start(); index++) {
            if (index + suffix.period() >= wanted.length()
                    || wanted.charAt(index) != wanted.charAt(index + suffix.period())) {
                return false;
            }
        }
        return true;
    }

    /** Remembers how much of a repetition has been compared already. */
    private static int foundRepetition(String text, int from, String wanted, Suffix suffix) {
        var known = 0;
        for (var at = from; at <= text.length() - wanted.length(); ) {
            var index = Math.max(suffix.start(), known);
            while (index < wanted.length() && wanted.charAt(index) == text.charAt(at + index)) {
                index++;
            }
            if (index < wanted.length()) {
                at += index - suffix.start() + 1;
                known = 0;
                continue;
            }
            index = suffix.start() - 1;
            while (index >= known && wanted.charAt(index) == text.charAt(at + index)) {
                index--;
            }
            if (index < known) {
                return at;
            }
            at += suffix.period();
            known = wanted.length() - suffix.period();
        }
        return -1;
    }

    private static int foundOther(String text, int from, String wanted, int start) {
        var step = Math.max(start, wanted.length() - start) + 1;
        for (var at = from; at <= text.length() - wanted.length(); ) {
            var index = start;
            while (index < wanted.length() && wanted.charAt(index) == text.charAt(at + index)) {
                index++;
            }
            if (index < wanted.length()) {
                at += index - start + 1;
                continue;
            }
            index = start - 1;
            while (index >= 0 && wanted.charAt(index) == text.charAt(at + index)) {
                index--;
            }
            if (index < 0) {
                return at;
            }
            at += step;
        }
        return -1;
    }
}
