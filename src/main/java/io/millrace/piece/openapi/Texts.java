package io.millrace.piece.openapi;

import io.millrace.base.core.CombiningMarks;
import io.millrace.base.core.CutText;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

final class Texts {
    private static final int NAME_CHARACTERS_MAX = 64;

    private static final int NAME_CHARACTERS_READ_MAX = 1_000;

    private Texts() {}

    static String shortened(String text, int charactersMax) {
        return CutText.marked(text.strip(), charactersMax, "…");
    }

    static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + "\n\n" + second;
    }

    /** Lower-case words with hyphens; empty text when nothing remains. */
    static String slug(String text) {
        var plain = CombiningMarks.removed(text, Normalizer.Form.NFKD);
        var slug = plain.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return slug.length() <= NAME_CHARACTERS_MAX
                ? slug
                : slug.substring(0, NAME_CHARACTERS_MAX).replaceAll("-+$", "");
    }

    /** A name of letters, digits, underscores and hyphens; empty text when nothing remains. */
    static String identifier(String text) {
        var read = text.substring(0, Math.min(text.length(), NAME_CHARACTERS_READ_MAX));
        var plain = Normalizer.normalize(read, Normalizer.Form.NFKC).replaceAll("[^\\p{L}\\p{N}_-]+", "_");
        var name = plain.replaceAll("^_+|_+$", "");
        return name.codePointCount(0, name.length()) <= NAME_CHARACTERS_MAX
                ? name
                : name.substring(0, name.offsetByCodePoints(0, NAME_CHARACTERS_MAX));
    }

    /** The name, numbered when it is taken; the result is added to the taken names. */
    static String unique(String name, Set<String> taken) {
        var free = name;
        for (var number = 2; !taken.add(free); number++) {
            free = name + "_" + number;
        }
        return free;
    }
}
