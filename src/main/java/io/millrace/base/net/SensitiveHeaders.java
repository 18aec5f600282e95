package io.millrace.base.net;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Headers that carry credentials: they are dropped when a redirect leaves the origin, and masked where shown. */
public final class SensitiveHeaders {
    public static final String MASK = "***";

    private static final Set<String> NAMES = Set.of(
            "authorization",
            "proxy-authorization",
            "www-authenticate",
            "proxy-authenticate",
            "authentication-info",
            "cookie",
            "cookie2",
            "set-cookie",
            "set-cookie2");

    /** Home-made credential headers, such as X-Api-Key, Apikey, X-Auth-Token, X-Client-Secret. */
    private static final Pattern HOME_MADE =
            Pattern.compile(".*(api[-_]?key|access[-_]?key|auth[-_]?key|token|secret|password|signature).*");

    private SensitiveHeaders() {}

    public static boolean isSensitive(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return NAMES.contains(lower) || HOME_MADE.matcher(lower).matches();
    }
}
