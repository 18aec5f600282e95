package io.millrace.base.http.page;

import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Permitted sources of the pictures of a page, in the syntax of its policy (CSP 3, img-src). */
public final class PictureSources {
    private static final Pattern ORIGIN = Pattern.compile("https?://[A-Za-z0-9.-]+(?::[0-9]+)?");

    private PictureSources() {}

    /** This server, and the origins of those pictures that are on other hosts. A text that is not a web address adds nothing. */
    public static String of(String... urls) {
        var others = Arrays.stream(urls)
                .filter(Objects::nonNull)
                .flatMap(url -> origin(url).stream())
                .distinct()
                .map(origin -> " " + origin)
                .collect(Collectors.joining());
        return "'self'" + others;
    }

    private static Optional<String> origin(String url) {
        try {
            var parsed = URI.create(url);
            return Optional.of(parsed.getScheme() + "://" + parsed.getRawAuthority())
                    .filter(origin -> ORIGIN.matcher(origin).matches());
        } catch (IllegalArgumentException unusable) {
            // A picture without a usable address is not shown; the page is.
            return Optional.empty();
        }
    }

    /** A picture's address relative to a page at that path below the root of this server. */
    public static String relative(String url, String path) {
        return url.startsWith("/") ? root(path) + url : url;
    }

    /** Relative path from a page to the root of this server, independent of a prefix that a proxy adds. */
    public static String root(String path) {
        var segments = path.chars().filter(character -> character == '/').count();
        return String.join("/", Collections.nCopies((int) Math.max(0, segments - 1), ".."));
    }
}
