package io.millrace.workspace.scim;

import io.millrace.base.core.ApiException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Target of a patch operation (RFC 7644, 3.5.2): {@code attribute}, {@code attribute.sub}, {@code attribute[filter]}, {@code
 * attribute[filter].sub}, each with or without the prefix of a schema.
 *
 * @param schema of an extension; empty for the core schema
 */
record ScimPath(Optional<String> schema, String attribute, Optional<ScimFilter> filter, Optional<String> sub) {
    private static final int LENGTH_MAX = 1_000;
    private static final String CORE = "urn:ietf:params:scim:schemas:core:2.0:";
    private static final Pattern NAME = Pattern.compile("[A-Za-z$][A-Za-z0-9_$-]{0,100}");

    static ScimPath parse(String text) {
        if (text.isBlank() || text.length() > LENGTH_MAX) {
            throw malformed();
        }
        var plain = text.strip();
        var schema = schemaOf(plain);
        var rest = schema.map(name -> plain.substring(name.length() + 1)).orElse(plain);
        var open = rest.indexOf('[');
        if (open < 0) {
            var dot = rest.indexOf('.');
            return dot < 0
                    ? new ScimPath(extension(schema), name(rest), Optional.empty(), Optional.empty())
                    : new ScimPath(
                            extension(schema),
                            name(rest.substring(0, dot)),
                            Optional.empty(),
                            Optional.of(name(rest.substring(dot + 1))));
        }
        var close = rest.lastIndexOf(']');
        if (close < open) {
            throw malformed();
        }
        var tail = rest.substring(close + 1);
        if (!tail.isEmpty() && !tail.startsWith(".")) {
            throw malformed();
        }
        return new ScimPath(
                extension(schema),
                name(rest.substring(0, open)),
                Optional.of(ScimFilter.parse(rest.substring(open + 1, close))),
                tail.isEmpty() ? Optional.empty() : Optional.of(name(tail.substring(1))));
    }

    /** A schema name contains colons, and dots in its version: the attribute follows the last colon. */
    private static Optional<String> schemaOf(String text) {
        if (!text.regionMatches(true, 0, "urn:", 0, 4)) {
            return Optional.empty();
        }
        var bracket = text.indexOf('[');
        var colon = text.lastIndexOf(':', bracket < 0 ? text.length() : bracket);
        return Optional.of(text.substring(0, colon));
    }

    private static Optional<String> extension(Optional<String> schema) {
        return schema.filter(name -> !name.regionMatches(true, 0, CORE, 0, CORE.length()));
    }

    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw malformed();
        }
        return text;
    }

    private static ApiException malformed() {
        return ScimFailures.invalidPath("expected a path like name.givenName or emails[type eq \"work\"].value");
    }
}
