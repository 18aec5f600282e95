package io.millrace.workspace.authorizationserver;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rules of redirect URIs (OAuth 2.1, 2.3; RFC 8252, 7): https, http to loopback, or a private-use scheme. Everything that two parsers
 * could read differently is refused: userinfo, backslashes, encoded or non-ASCII hosts, wildcards.
 */
final class RedirectUri {
    private static final int LENGTH_MAX = 2048;
    private static final Set<String> WEB_SCHEMES = Set.of("http", "https");
    private static final Set<String> APPLICATION_SCHEMES =
            Set.of("cursor", "vscode", "vscode-insiders", "windsurf", "claude");

    /** Printable ASCII without the wildcard, quotes and backslash. */
    private static final Pattern TEXT = Pattern.compile("[!#$%&'()+,\\-./0-9:;=?@A-Z\\[\\]_a-z~]+");

    private static final Pattern AUTHORITY =
            Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?");
    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
    private static final Pattern LOOPBACK = Pattern.compile("(?i)localhost|127(?:\\." + OCTET + "){3}|\\[::1]");
    private static final int PORT_MAX = 65_535;

    private RedirectUri() {}

    /** Reason for which a code must not be sent to this address; empty for an acceptable one. */
    static Optional<String> problemOf(String text) {
        if (text.length() > LENGTH_MAX) {
            return Optional.of("Too big: expected string to have <=" + LENGTH_MAX + " characters");
        }
        return parsed(text)
                .map(uri -> isAllowed(uri)
                        ? Optional.<String>empty()
                        : Optional.of("Invalid URL: scheme or form is not allowed"))
                .orElseGet(() -> Optional.of("Invalid URL"));
    }

    /**
     * Exact comparison, except for the port of a loopback address, which a native client chooses at each start (RFC
     * 8252, 7.3).
     */
    static boolean matches(String registered, String requested) {
        if (registered.equals(requested)) {
            return true;
        }
        return withoutLoopbackPort(registered)
                .flatMap(known -> withoutLoopbackPort(requested).map(known::equals))
                .orElse(false);
    }

    private static Optional<String> withoutLoopbackPort(String text) {
        return problemOf(text).isPresent()
                ? Optional.empty()
                : parsed(text)
                        .filter(uri -> "http".equals(uri.getScheme()) && isLoopback(uri))
                        .map(uri -> uri.getHost() + "\n" + uri.getRawPath() + "\n" + uri.getRawQuery());
    }

    private static Optional<URI> parsed(String text) {
        if (!TEXT.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
    }

    /** Fragments are refused too: the code would be appended to the fragment, which browsers do not send to the client. */
    private static boolean isAllowed(URI uri) {
        if (uri.getScheme() == null || uri.getRawFragment() != null) {
            return false;
        }
        var scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        if (WEB_SCHEMES.contains(scheme)) {
            return hasPlainHost(uri) && (scheme.equals("https") || isLoopback(uri));
        }
        return (scheme.contains(".") || APPLICATION_SCHEMES.contains(scheme))
                && (uri.getRawAuthority() == null
                        || AUTHORITY.matcher(uri.getRawAuthority()).matches());
    }

    private static boolean hasPlainHost(URI uri) {
        if (uri.getHost() == null || uri.getRawUserInfo() != null) {
            return false;
        }
        return AUTHORITY.matcher(uri.getRawAuthority()).matches() && uri.getPort() <= PORT_MAX && uri.getPort() != 0;
    }

    /** Unencrypted codes must not leave the host (RFC 8252, 7.3 and 8.3). */
    private static boolean isLoopback(URI uri) {
        return uri.getHost() != null && LOOPBACK.matcher(uri.getHost()).matches();
    }
}
