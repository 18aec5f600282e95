package io.millrace.base.http.page;

import io.millrace.base.http.ApiReply;
import io.millrace.base.secret.Hashes;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A small HTML page, complete in one response, in the shared design of such pages. Its policy allows just this style and just
 * this script; nothing is loaded from other hosts, and only permitted origins can frame it. Variable parts are escaped, in
 * attributes and text.
 *
 * @param color of buttons, in CSS syntax; empty for the default
 * @param main HTML of the page's only part
 * @param script empty for none
 * @param embedders origins whose pages may put a frame around it
 * @param header brand above the main part
 */
public record HtmlPage(
        String title,
        Optional<String> color,
        String main,
        String script,
        List<String> embedders,
        Optional<Header> header) {
    /**
     * Header of a page.
     *
     * @param path path of the page, for the address of the logo
     */
    public record Header(PageBrand brand, String path) {}

    private static final String STYLE = resource("/page.css");
    private static final int RED = 16;
    private static final int GREEN = 8;
    private static final int BYTE = 0xff;

    /** Luminance above which black has more contrast to a color than white has (WCAG 2, contrast ratio). */
    private static final double LIGHT = 0.179;

    public HtmlPage {
        embedders = List.copyOf(embedders);
    }

    /** A page in the default color that no page may embed. */
    public static HtmlPage plain(String title, String main, String script) {
        return new HtmlPage(title, Optional.empty(), main, script, List.of(), Optional.empty());
    }

    public HtmlPage branded(PageBrand brand, String path) {
        return new HtmlPage(title, brand.color(), main, script, embedders, Optional.of(new Header(brand, path)));
    }

    public ApiReply reply(int status, HttpServerResponse response) {
        response.putHeader("Content-Security-Policy", policy())
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cache-Control", "no-store");
        if (embedders.isEmpty()) {
            // The older header has no list of origins, and takes precedence where it is understood.
            response.putHeader("X-Frame-Options", "DENY");
        }
        return ApiReply.of(status, "text/html; charset=utf-8", html());
    }

    private String policy() {
        return "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors "
                + (embedders.isEmpty() ? "'none'" : "'self' " + String.join(" ", embedders))
                + "; connect-src 'self';"
                + header.map(shown ->
                                " img-src " + PictureSources.of(shown.brand().logo()) + ";")
                        .orElse("")
                + " style-src 'sha256-" + hash(style()) + "'"
                + (script.isEmpty() ? "" : "; script-src 'sha256-" + hash(script) + "'");
    }

    private String html() {
        return """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title><style>%s</style></head>
                <body><main>
                %s%s%s</main></body>
                </html>
                """.formatted(
                        Html.escape(title),
                        style(),
                        header.map(shown -> shown.brand().html(shown.path())).orElse(""),
                        main,
                        script.isEmpty() ? "" : "<script>" + script + "</script>\n");
    }

    private String style() {
        return color.map(
                        shade -> STYLE + ":root { --accent: " + shade + "; --on-accent: " + readableOn(shade) + "; }\n")
                .orElse(STYLE);
    }

    /**
     * Black or white: the one with more contrast.
     *
     * @param shade as {@code #rgb} or {@code #rrggbb}
     */
    public static String readableOn(String shade) {
        return luminance(shade) > LIGHT ? "#000000" : "#ffffff";
    }

    /** Relative luminance of {@code #rgb} or {@code #rrggbb}, from 0 to 1 (WCAG 2). */
    private static double luminance(String shade) {
        var digits = shade.substring(1);
        var full = digits.length() == 3 ? digits.replaceAll("(.)", "$1$1") : digits;
        var rgb = Integer.parseInt(full, 16);
        return 0.2126 * linear(rgb >> RED & BYTE) + 0.7152 * linear(rgb >> GREEN & BYTE) + 0.0722 * linear(rgb & BYTE);
    }

    private static double linear(int part) {
        var share = (double) part / BYTE;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }

    private static String hash(String text) {
        return Base64.getEncoder().encodeToString(Hashes.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }

    public static String resource(String name) {
        try (var stream = HtmlPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing from this build");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + name, unreadable);
        }
    }
}
