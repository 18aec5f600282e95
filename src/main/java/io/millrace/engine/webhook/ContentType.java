package io.millrace.engine.webhook;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a caller says its body is.
 *
 * @param media type and subtype in lower case; empty when the caller says nothing
 * @param charset how text is encoded; UTF-8 when the caller says nothing or names an unknown one
 * @param hasBoundary whether the mark between the parts of a form is named
 */
record ContentType(String media, Charset charset, boolean hasBoundary) {
    private static final Pattern BOUNDARY = Pattern.compile("(?i);\\s*boundary=(\"[^\"]+\"|[^\";\\s])");

    private static final Set<String> BINARY =
            Set.of("application/pdf", "application/zip", "application/gzip", "application/octet-stream");

    /** Reads a header, which may be null. */
    static ContentType of(String header) {
        if (header == null) {
            return new ContentType("", StandardCharsets.UTF_8, false);
        }
        var end = header.indexOf(';');
        var media = (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return new ContentType(
                media, charsetOf(header), BOUNDARY.matcher(header).find());
    }

    boolean isJson() {
        return media.equals("application/json") || media.endsWith("+json");
    }

    boolean isForm() {
        return media.equals("application/x-www-form-urlencoded");
    }

    boolean isMultipart() {
        return media.equals("multipart/form-data");
    }

    /** Whether the body is kept as a file (contract flows-and-engine 17.4). */
    boolean isBinary() {
        return media.startsWith("image/")
                || media.startsWith("video/")
                || media.startsWith("audio/")
                || BINARY.contains(media);
    }

    /** Extension of a file with such a content. */
    String extension() {
        var subtype = media.substring(media.indexOf('/') + 1);
        return subtype.matches("[a-z0-9]{1,10}") ? subtype : "bin";
    }

    private static Charset charsetOf(String header) {
        var mark = header.toLowerCase(Locale.ROOT).indexOf("charset=");
        if (mark < 0) {
            return StandardCharsets.UTF_8;
        }
        var name = header.substring(mark + "charset=".length())
                .split("[;\\s]", 2)[0]
                .replace("\"", "");
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
