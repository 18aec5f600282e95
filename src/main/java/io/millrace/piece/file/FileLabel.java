package io.millrace.piece.file;

import java.net.URLConnection;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Sanitized name and media type of a file from untrusted input.
 *
 * @param fileName a bare name
 * @param contentType safe in a header
 */
record FileLabel(String fileName, String contentType) {
    private static final int NAME_LENGTH_MAX = 200;
    private static final String NAMELESS = "file";
    private static final String BYTES = "application/octet-stream";
    private static final String TOKEN = "[0-9a-z!#$&^_.+-]{1,100}";
    private static final Pattern MEDIA_TYPE = Pattern.compile(
            "(" + TOKEN + "/" + TOKEN + ")\\s*(?:;\\s*charset=\"?([0-9a-z_.:-]{1,40})\"?\\s*)?(?:;.*)?");

    /** Sanitizes both values, which may be null. A missing media type is derived from the name. */
    static FileLabel of(String fileName, String contentType) {
        var name = bare(fileName);
        return new FileLabel(name, known(contentType).orElseGet(() -> guessed(name)));
    }

    private static String bare(String fileName) {
        var given = fileName == null ? "" : fileName;
        var lastPart = given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
        var printable = lastPart.replaceAll("\\p{Cntrl}|\\p{Cf}|\\p{Cs}", "").strip();
        var cut = printable.length() <= NAME_LENGTH_MAX
                ? printable
                : printable.substring(0, printable.offsetByCodePoints(0, printable.codePointCount(0, NAME_LENGTH_MAX)));
        return cut.isEmpty() ? NAMELESS : cut;
    }

    private static Optional<String> known(String contentType) {
        if (contentType == null) {
            return Optional.empty();
        }
        var form = MEDIA_TYPE.matcher(contentType.strip().toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            return Optional.empty();
        }
        return Optional.of(form.group(2) == null ? form.group(1) : form.group(1) + "; charset=" + form.group(2));
    }

    /** Text of unknown encoding is most likely what this server writes itself. */
    private static String guessed(String fileName) {
        var type = URLConnection.getFileNameMap().getContentTypeFor(fileName);
        if (type == null) {
            return BYTES;
        }
        return type.startsWith("text/") ? type + "; charset=utf-8" : type;
    }
}
