package io.millrace.piece.openapi;

import io.millrace.base.net.WebAddress;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a server whose variables are filled by each connection. A value cannot leave the place of its variable: the fixed end of
 * a host stays the end of the host.
 */
final class AddressTemplate {
    private static final String LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
    private static final String LABELS = LABEL + "(?:\\." + LABEL + ")*+";
    private static final String SEGMENTS = "(?:(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~-]+(?:/|$))++";

    private final String text;
    private final int hostStart;
    private final int hostEnd;

    AddressTemplate(String template) {
        var plain = ServerVariables.VARIABLE
                .matcher(template)
                .replaceAll(match -> "x".repeat(match.group().length()));
        var end = indexOf(plain, "?#", 0);
        var schemeEnd = plain.indexOf("://");
        this.hostStart = schemeEnd < 0 || schemeEnd > end ? -1 : schemeEnd + "://".length();
        this.hostEnd = hostStart < 0 ? -1 : Math.min(end, indexOf(plain, "/", hostStart));
        var shown = template.substring(0, end);
        this.text = shown.endsWith("/") ? shown.substring(0, shown.length() - 1) : shown;
    }

    private static int indexOf(String plain, String characters, int from) {
        var at = from;
        while (at < plain.length() && characters.indexOf(plain.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    enum Place {
        ORIGIN(
                "an address such as https://api.example.com",
                "https?://" + LABELS + "(?::\\d{1,5})?(?:/" + SEGMENTS + ")?"),
        SCHEME("http or https", "https?"),
        AUTHORITY("a host such as api.example.com", LABELS + "(?::\\d{1,5})?"),
        /** Labels in front of a fixed part of the host. */
        LABELS_OF_HOST("letters, digits and hyphens", LABELS),
        /** The end of a host with a fixed beginning: one label, since two could be another domain. */
        END_OF_HOST("letters, digits and hyphens without a dot", LABEL),
        PORT("a port", "\\d{1,5}"),
        PATH("letters, digits, hyphens and slashes", SEGMENTS);

        private final String expected;
        private final Pattern pattern;

        Place(String expected, String pattern) {
            this.expected = expected;
            this.pattern = Pattern.compile(pattern);
        }

        String expected() {
            return expected;
        }

        boolean permits(String value) {
            return pattern.matcher(value).matches();
        }

        private String sample() {
            return switch (this) {
                case ORIGIN -> "https://x";
                case SCHEME -> "https";
                case PORT -> "1";
                default -> "x";
            };
        }
    }

    /** The address with a value for each variable, which the function checks. */
    String filled(Function<TemplateVariable, String> value) {
        return ServerVariables.VARIABLE
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(
                        value.apply(new TemplateVariable(match.group(1), placeAt(match.start(), match.end())))));
    }

    record TemplateVariable(String name, Place place) {}

    private Place placeAt(int start, int end) {
        if (hostStart < 0) {
            return start == 0 ? Place.ORIGIN : Place.PATH;
        }
        if (start < hostStart) {
            return Place.SCHEME;
        }
        if (start >= hostEnd) {
            return Place.PATH;
        }
        var authority = text.substring(hostStart, hostEnd);
        if (end - start == authority.length()) {
            return Place.AUTHORITY;
        }
        var colon = authority.lastIndexOf(':');
        if (colon >= 0 && start > hostStart + colon) {
            return Place.PORT;
        }
        var host = colon < 0 ? authority : authority.substring(0, colon);
        var fixed = ServerVariables.VARIABLE.matcher(host).replaceAll("").replace(".", "");
        return end == hostStart + host.length() && !fixed.isEmpty() ? Place.END_OF_HOST : Place.LABELS_OF_HOST;
    }

    /** Names of the variables in their order, each once. */
    List<String> names() {
        return ServerVariables.VARIABLE
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }

    /** Fails with {@link IllegalArgumentException} when no values give a valid address without credentials. */
    void check() {
        checked(filled(variable -> variable.place().sample()));
    }

    /** The address; fails with {@link IllegalArgumentException} when it is invalid or has credentials. */
    static String checked(String url) {
        if (WebAddress.parse(url).userInfo().isPresent()) {
            throw new IllegalArgumentException("Expected no credentials in the address of a server");
        }
        return url;
    }

    @Override
    public String toString() {
        return text;
    }
}
