package io.millrace.base.core.text;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A header with parameters, as Content-Type and Content-Disposition are: {@code form-data; name="a b"; filename=x}. A
 * malformed parameter is left out and the rest is read.
 *
 * @param value the part before the first semicolon, stripped, in lower case
 * @param parameters values by lower-case name, without quotes; the first of a repeated name counts
 */
public record HeaderValue(String value, Map<String, String> parameters) {
    /** Reads a header, which may be null. */
    public static HeaderValue of(String header) {
        if (header == null) {
            return new HeaderValue("", Map.of());
        }
        var end = header.indexOf(';');
        if (end < 0) {
            return new HeaderValue(lower(header), Map.of());
        }
        var parameters = new LinkedHashMap<String, String>();
        for (var at = end + 1; at < header.length(); ) {
            at = read(header, at, parameters);
        }
        return new HeaderValue(lower(header.substring(0, end)), parameters);
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /**
     * A parameter as text: its extended form with a charset (RFC 8187), else its plain form, else its numbered parts joined (RFC
     * 2231).
     */
    public Optional<String> text(String name) {
        return parameter(name + "*")
                .flatMap(HeaderValue::extended)
                .or(() -> parameter(name))
                .or(() -> joined(name));
    }

    /** File name of a Content-Disposition header, which may be null, lack its type, and have bytes as characters. */
    public static Optional<String> fileName(String header) {
        if (header == null) {
            return Optional.empty();
        }
        var text = PercentText.header(header);
        return of(text).text("filename").or(() -> of(";" + text).text("filename"));
    }

    private static Optional<String> extended(String value) {
        var parts = value.split("'", 3);
        return parts.length < 3
                ? Optional.empty()
                : CharsetNames.find(parts[0]).map(charset -> PercentText.decoded(parts[2], charset));
    }

    private Optional<String> joined(String name) {
        var whole = new StringBuilder();
        var part = part(name, 0);
        for (var number = 1; part.isPresent(); number++) {
            whole.append(part.get());
            part = part(name, number);
        }
        if (whole.isEmpty()) {
            return Optional.empty();
        }
        return parameters.containsKey(name + "*0*")
                ? extended(whole.toString())
                : Optional.of(PercentText.decoded(whole.toString(), StandardCharsets.UTF_8));
    }

    /** A numbered part, percent-encoded. */
    private Optional<String> part(String name, int number) {
        return parameter(name + "*" + number + "*")
                .or(() -> parameter(name + "*" + number).map(plain -> plain.replace("%", "%25")));
    }

    private static String lower(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
    }

    /** Reads one parameter; returns the position after its semicolon. */
    private static int read(String header, int from, Map<String, String> parameters) {
        var at = from;
        while (at < header.length() && header.charAt(at) != '=' && header.charAt(at) != ';') {
            at++;
        }
        if (at == header.length() || header.charAt(at) == ';') {
            return at + 1;
        }
        var name = lower(header.substring(from, at));
        at++;
        while (at < header.length() && Character.isWhitespace(header.charAt(at))) {
            at++;
        }
        var value = new StringBuilder();
        if (at < header.length() && header.charAt(at) == '"') {
            at = quoted(header, at + 1, value);
            at = header.indexOf(';', at);
        } else {
            var end = header.indexOf(';', at);
            value.append(header.substring(at, end < 0 ? header.length() : end).strip());
            at = end;
        }
        parameters.putIfAbsent(name, value.toString());
        return at < 0 ? header.length() : at + 1;
    }

    /**
     * Reads up to the closing quote. A backslash escapes a quote and a backslash only: file names of Windows contain
     * single ones.
     */
    private static int quoted(String header, int from, StringBuilder value) {
        var at = from;
        for (; at < header.length() && header.charAt(at) != '"'; at++) {
            var next = at + 1 < header.length() ? header.charAt(at + 1) : 0;
            if (header.charAt(at) == '\\' && (next == '"' || next == '\\')) {
                at++;
            }
            value.append(header.charAt(at));
        }
        return Math.min(at + 1, header.length());
    }
}
