package io.millrace.base.net;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Optional;

/**
 * An http or https URL, parsed once: the guard judges exactly the address that is connected to.
 *
 * @param scheme {@code http} or {@code https}
 * @param host canonical: lower-case name, dotted IPv4, or IPv6 without brackets
 * @param target path and query as sent; starts with a slash
 * @param userInfo the part before {@code @}, still percent-encoded
 */
public record WebAddress(String scheme, String host, int port, String target, Optional<String> userInfo) {
    private static final int LENGTH_MAX = 64 * 1024;
    private static final String ENCODED = "\"<>`{}|^";

    /**
     * Reads a URL; blanks around it are ignored, characters that are not allowed in a URL are percent-encoded.
     *
     * @throws IllegalArgumentException when it is not an absolute http or https URL; the message omits the text, because URLs
     *     may contain secrets
     */
    public static WebAddress parse(String text) {
        var url = checked(text.strip());
        var colon = url.indexOf(':');
        var scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw invalid("expected it to start with http:// or https://");
        }
        var rest = url.substring(colon + 1).replace('\\', '/');
        if (!rest.startsWith("//")) {
            throw invalid("expected it to start with http:// or https://");
        }
        return ofAuthority(scheme, rest.substring(2));
    }

    public WebAddress resolve(String reference) {
        var text = checked(reference.strip());
        if (text.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
            return parse(text);
        }
        var plain = text.replace('\\', '/');
        if (plain.startsWith("//")) {
            return ofAuthority(scheme, plain.substring(2));
        }
        var path = target.split("\\?", 2)[0];
        if (plain.startsWith("/")) {
            return withTarget(plain);
        }
        if (plain.startsWith("?")) {
            return withTarget(path + plain);
        }
        return plain.isEmpty() || plain.startsWith("#")
                ? withTarget(target)
                : withTarget(path.substring(0, path.lastIndexOf('/') + 1) + plain);
    }

    /** The same URL with further, already encoded, query text. */
    public WebAddress withQuery(String query) {
        if (query.isEmpty()) {
            return this;
        }
        var glue = target.indexOf('?') < 0 ? "?" : target.endsWith("?") || target.endsWith("&") ? "" : "&";
        return new WebAddress(scheme, host, port, target + glue + query, userInfo);
    }

    public boolean secure() {
        return scheme.equals("https");
    }

    public boolean sameOriginAs(WebAddress other) {
        return scheme.equals(other.scheme) && host.equals(other.host) && port == other.port;
    }

    /** The part of the URL that contains no secret. */
    public String origin() {
        return scheme + "://" + authority();
    }

    public String hostAndPort() {
        return host + ":" + port;
    }

    /** Host and port in the form of a Host header. */
    public String authority() {
        var bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == defaultPort(scheme) ? bracketed : bracketed + ":" + port;
    }

    /** The URL without user information. */
    @Override
    public String toString() {
        return origin() + target;
    }

    private WebAddress withTarget(String text) {
        return new WebAddress(scheme, host, port, target(text), Optional.empty());
    }

    private static WebAddress ofAuthority(String scheme, String rest) {
        var end = 0;
        while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        var authority = rest.substring(0, end);
        // The last @ divides: everything before it is user information, even if it resembles a host.
        var at = authority.lastIndexOf('@');
        var hostAndPort = authority.substring(at + 1);
        var portColon = hostAndPort.lastIndexOf(':') > hostAndPort.lastIndexOf(']') ? hostAndPort.lastIndexOf(':') : -1;
        var host = portColon < 0 ? hostAndPort : hostAndPort.substring(0, portColon);
        var port = portColon < 0 ? "" : hostAndPort.substring(portColon + 1);
        return new WebAddress(
                scheme,
                host(host),
                port.isEmpty() ? defaultPort(scheme) : port(port),
                target(rest.substring(end)),
                at < 0 ? Optional.empty() : Optional.of(authority.substring(0, at)));
    }

    private static String host(String text) {
        if (text.isEmpty()) {
            throw invalid("it has no host");
        }
        try {
            return HostText.canonical(text);
        } catch (IllegalArgumentException malformed) {
            throw invalid("its host is neither a name nor an address");
        }
    }

    private static int port(String text) {
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65535) {
            throw invalid("its port is not a number from 1 to 65535");
        }
        return Integer.parseInt(text);
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }

    private static String checked(String text) {
        if (text.length() > LENGTH_MAX) {
            throw invalid("it is longer than " + LENGTH_MAX + " characters");
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw invalid("it has a control character");
        }
        return text;
    }

    private static String target(String text) {
        var hash = text.indexOf('#');
        var visible = hash < 0 ? text : text.substring(0, hash);
        var question = visible.indexOf('?');
        var path = question < 0 ? visible : visible.substring(0, question);
        return encoded(withoutDots(path)) + (question < 0 ? "" : encoded(visible.substring(question)));
    }

    private static String withoutDots(String path) {
        var kept = new ArrayDeque<String>();
        var segments = path.startsWith("/") ? path.substring(1).split("/", -1) : path.split("/", -1);
        for (var i = 0; i < segments.length; i++) {
            var last = i == segments.length - 1;
            switch (segments[i].toLowerCase(Locale.ROOT).replace("%2e", ".")) {
                case "." -> keepEmpty(kept, last);
                case ".." -> {
                    kept.pollLast();
                    keepEmpty(kept, last);
                }
                default -> kept.addLast(segments[i]);
            }
        }
        return "/" + String.join("/", kept);
    }

    private static void keepEmpty(ArrayDeque<String> kept, boolean last) {
        if (last) {
            kept.addLast("");
        }
    }

    private static String encoded(String text) {
        var encoded = new StringBuilder(text.length() + 16);
        for (var octet : text.getBytes(StandardCharsets.UTF_8)) {
            var c = octet & 0xff;
            if (c > 0x20 && c < 0x7f && ENCODED.indexOf(c) < 0) {
                encoded.append((char) c);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
                encoded.append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
            }
        }
        return encoded.toString();
    }

    private static IllegalArgumentException invalid(String reason) {
        return new IllegalArgumentException("Invalid URL: " + reason);
    }
}
