package io.millrace.piece.file;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Content-Disposition of a file: inline only for passive media types, otherwise attachment. Files are untrusted input
 * and are served from the origin of the editor.
 */
final class Disposition {
    private static final Set<String> PASSIVE =
            Set.of("image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif", "text/plain");

    private static final String UNRESERVED = "!#$&+-.^_`|~";

    private Disposition() {}

    /** Value of the Content-Disposition header. The second form of the name encodes non-ASCII characters. */
    static String of(StoredFile file) {
        var kind = isPassive(file.contentType()) ? "inline" : "attachment";
        return kind + "; filename=\"" + ascii(file.fileName()) + "\"; filename*=UTF-8''" + encoded(file.fileName());
    }

    private static boolean isPassive(String contentType) {
        var end = contentType.indexOf(';');
        var type = end < 0 ? contentType : contentType.substring(0, end);
        return PASSIVE.contains(type) || type.startsWith("audio/") || type.startsWith("video/");
    }

    private static String ascii(String name) {
        var text = new StringBuilder(name.length());
        name.codePoints().forEach(c -> text.append(isPlain(c) ? (char) c : '_'));
        return text.toString();
    }

    private static boolean isPlain(int c) {
        return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '%';
    }

    private static String encoded(String name) {
        var text = new StringBuilder(name.length());
        for (var b : name.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(b)) {
                text.append((char) b);
            } else {
                text.append('%').append(String.format("%02X", b));
            }
        }
        return text.toString();
    }

    private static boolean isUnreserved(byte b) {
        return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || UNRESERVED.indexOf(b) >= 0;
    }
}
