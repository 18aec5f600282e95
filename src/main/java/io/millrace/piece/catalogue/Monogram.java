package io.millrace.piece.catalogue;

import java.time.Duration;
import java.util.Locale;

/** Drawn logo of a piece that has none: the first letter or digit of its name on a colored tile. */
final class Monogram {
    /** Shorter than for other logos: the piece's own may become reachable. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private static final int HUES = 12;

    private Monogram() {}

    /** @param pieceName determines the color, so that it stays the same in every language */
    static PieceLogo of(String pieceName, String displayName) {
        var hue = Math.floorMod(pieceName.hashCode(), HUES) * (360 / HUES);
        return drawn("hsl(%d,45%%,38%%)".formatted(hue), displayName).freshFor(FRESH);
    }

    /** @param color of the brand, dark enough for a white letter, as six hexadecimal digits */
    static PieceLogo inColor(String color, String displayName) {
        return drawn("#" + color, displayName);
    }

    private static PieceLogo drawn(String fill, String displayName) {
        return PieceLogo.svg("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">\
                <rect width="36" height="36" rx="8" fill="%s"/>\
                <text x="18" y="25" font-family="sans-serif" font-size="20" font-weight="600" text-anchor="middle" \
                fill="#fff">%s</text></svg>
                """.formatted(fill, letter(displayName)));
    }

    /** The only part of a name that enters the drawing; a letter or digit needs no escaping. */
    private static String letter(String displayName) {
        return displayName
                .codePoints()
                .filter(Character::isLetterOrDigit)
                .mapToObj(Character::toString)
                .findFirst()
                .orElse("?")
                .toUpperCase(Locale.ROOT);
    }
}
