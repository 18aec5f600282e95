package io.millrace.account.mail;

import io.millrace.account.platform.Platform;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Sender name and color of a mail.
 *
 * @param color of links and headings, in CSS syntax
 */
record Branding(String name, String color) {
    private static final Pattern COLOR = Pattern.compile("#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})");
    private static final Branding PRODUCT = new Branding("Millrace", "#2f6f5e");

    /** Branding of the platform; the product's name before there is a platform. */
    static Branding of(Optional<Platform> platform) {
        return platform.map(known -> new Branding(
                        Letter.oneLine(known.name()),
                        COLOR.matcher(known.looks().primaryColor()).matches()
                                ? known.looks().primaryColor()
                                : PRODUCT.color()))
                .orElse(PRODUCT);
    }
}
