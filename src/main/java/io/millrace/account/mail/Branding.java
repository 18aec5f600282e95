package io.millrace.account.mail;

import io.millrace.account.platform.Platform;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * In whose name and colour a letter is written.
 *
 * @param color of links and headings, as CSS says it
 */
record Branding(String name, String color) {
    private static final Pattern COLOR = Pattern.compile("#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})");
    private static final Branding PRODUCT = new Branding("Millrace", "#2f6f5e");

    /** Before anybody has signed up there is no platform; then the product speaks. */
    static Branding of(Optional<Platform> platform) {
        return platform.map(known -> new Branding(
                        Letter.oneLine(known.name()),
                        COLOR.matcher(known.looks().primaryColor()).matches()
                                ? known.looks().primaryColor()
                                : PRODUCT.color()))
                .orElse(PRODUCT);
    }
}
