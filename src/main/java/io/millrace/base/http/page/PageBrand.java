package io.millrace.base.http.page;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Name, color and logo above a small page.
 *
 * @param color as #rrggbb; empty for the default
 * @param logo address of the picture; may be empty
 */
public record PageBrand(String name, Optional<String> color, String logo) {
    /** Brand of a server without a platform. */
    public static final PageBrand USUAL = new PageBrand("Millrace", Optional.empty(), "/assets/logo-icon.svg");

    private static final String USUAL_COLOR = "#2f6f5e";
    private static final Pattern COLOR = Pattern.compile("#[0-9a-fA-F]{6}");

    /** A brand of stored values, which may be null. The color is empty if it is the default one. */
    public static PageBrand of(String name, String color, String logo) {
        return new PageBrand(
                name,
                Optional.ofNullable(color)
                        .filter(shade -> COLOR.matcher(shade).matches())
                        .filter(shade -> !shade.equalsIgnoreCase(USUAL_COLOR)),
                logo == null ? "" : logo);
    }

    String html(String path) {
        var picture =
                logo.isEmpty() ? "" : "<img src=\"" + Html.escape(PictureSources.relative(logo, path)) + "\" alt=\"\">";
        return "<p class=\"brand\">" + picture + "<span>" + Html.escape(name) + "</span></p>\n";
    }
}
