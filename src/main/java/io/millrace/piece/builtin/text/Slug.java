package io.millrace.piece.builtin.text;

import io.millrace.base.core.CombiningMarks;
import java.text.Normalizer;
import java.util.Map;

/** Converts a text to a URL slug: without accents, with dashes between words. The case is kept. */
final class Slug {
    private static final String KEPT = "$*_+~.()'\"!-:@";

    /** Replacements for signs with a word, and for characters that accent removal does not reduce to ASCII. */
    private static final Map<Character, String> WORDS = Map.ofEntries(
            Map.entry('ß', "ss"),
            Map.entry('æ', "ae"),
            Map.entry('Æ', "AE"),
            Map.entry('œ', "oe"),
            Map.entry('Œ', "OE"),
            Map.entry('ø', "o"),
            Map.entry('Ø', "O"),
            Map.entry('đ', "d"),
            Map.entry('Đ', "D"),
            Map.entry('ł', "l"),
            Map.entry('Ł', "L"),
            Map.entry('þ', "th"),
            Map.entry('&', "and"),
            Map.entry('|', "or"),
            Map.entry('<', "less"),
            Map.entry('>', "greater"),
            Map.entry('$', "dollar"),
            Map.entry('%', "percent"),
            Map.entry('€', "euro"),
            Map.entry('£', "pound"));

    private Slug() {}

    static String of(String text) {
        var plain = new StringBuilder();
        for (var character : CombiningMarks.removed(text, Normalizer.Form.NFD).toCharArray()) {
            var word = WORDS.get(character);
            if (word != null) {
                plain.append(word);
            } else if (isKept(character)) {
                plain.append(character);
            }
        }
        return plain.toString().strip().replaceAll("\\s+", "-");
    }

    private static boolean isKept(char character) {
        return character < 128 && Character.isLetterOrDigit(character)
                || Character.isWhitespace(character)
                || KEPT.indexOf(character) >= 0;
    }
}
