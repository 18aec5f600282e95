package io.millrace.account.platform;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.input.Fields;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Origins that may embed this platform in their pages (seed endpoint 7, contract admin-api 12.1): a scheme, a host in lower
 * case that may begin with a wildcard for its subdomains, and a port unless it is the scheme's default.
 */
final class EmbedOrigins {
    static final int COUNT_MAX = 50;
    private static final int LENGTH_MAX = 300;
    private static final String FIELD = "allowedEmbedOrigins";
    private static final String REFUSED = "invalidEmbedOrigin";

    /** A wildcard needs two labels after it, or it would admit a whole top-level domain; localhost allows no wildcard. */
    private static final Pattern ORIGIN = Pattern.compile("(?<scheme>https?)://"
            + "(?:\\*\\.(?=[^.]++\\.|localhost(?::|$)))?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
            + "(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*+(?::(?<port>[1-9][0-9]{0,4}))?");

    private EmbedOrigins() {}

    /** The list of a body that adds origins: at least one. */
    static List<String> readAdded(Fields body) {
        if (!body.raw(FIELD).isArray()) {
            return body.requiredTexts(FIELD);
        }
        var origins = read(body);
        if (body.isSound() && origins.isEmpty()) {
            body.refuse(FIELD, REFUSED);
        }
        return origins;
    }

    static List<String> read(Fields body) {
        var origins = body.texts(FIELD);
        if (origins.size() > COUNT_MAX) {
            body.refuse(FIELD, "Too big: expected array to have <=" + COUNT_MAX + " items");
        }
        for (var index = 0; index < origins.size(); index++) {
            if (!isOrigin(origins.get(index))) {
                body.refuse(FIELD + "/" + index, REFUSED);
            }
        }
        return origins;
    }

    /** True when the text is a normalized origin, which needs no cleaning for comparisons or headers. */
    static boolean isOrigin(String text) {
        if (text.length() > LENGTH_MAX) {
            return false;
        }
        var matcher = ORIGIN.matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        var port = matcher.group("port");
        return port == null
                || Integer.parseInt(port) <= 65_535
                        && !port.equals(matcher.group("scheme").equals("https") ? "443" : "80");
    }

    /** Both lists without duplicates, the present one first; fails with a conflict above the maximum. */
    static List<String> merged(List<String> present, List<String> added) {
        var all = new LinkedHashSet<>(present);
        all.addAll(added);
        if (all.size() > COUNT_MAX) {
            throw ApiException.of(
                    ErrorCode.VALIDATION, "a platform has at most " + COUNT_MAX + " allowed embed origins");
        }
        return List.copyOf(all);
    }
}
