package io.millrace.piece.builtin.http;

import io.millrace.base.net.OutboundResponse;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds a name for a downloaded file (contract flows-and-engine 8.5). */
public final class HttpFileName {
    private static final int LENGTH_MAX = 255;

    /** A longer header names no file; the pattern below recurses once per character. */
    private static final int HEADER_LENGTH_MAX = 1024;

    private static final Pattern EXTENDED =
            Pattern.compile("filename\\*\\s*=\\s*UTF-8'[^']*'([^;\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern PLAIN =
            Pattern.compile("filename\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^;\\s]+))", Pattern.CASE_INSENSITIVE);

    private static final Map<String, String> EXTENSIONS = Map.ofEntries(
            Map.entry("application/json", "json"),
            Map.entry("application/pdf", "pdf"),
            Map.entry("application/xml", "xml"),
            Map.entry("application/zip", "zip"),
            Map.entry("application/gzip", "gz"),
            Map.entry("application/msword", "doc"),
            Map.entry("application/vnd.ms-excel", "xls"),
            Map.entry("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
            Map.entry("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
            Map.entry("audio/mpeg", "mp3"),
            Map.entry("audio/wav", "wav"),
            Map.entry("image/gif", "gif"),
            Map.entry("image/jpeg", "jpeg"),
            Map.entry("image/png", "png"),
            Map.entry("image/svg+xml", "svg"),
            Map.entry("image/webp", "webp"),
            Map.entry("text/css", "css"),
            Map.entry("text/csv", "csv"),
            Map.entry("text/html", "html"),
            Map.entry("text/plain", "txt"),
            Map.entry("text/xml", "xml"),
            Map.entry("video/mp4", "mp4"));

    private HttpFileName() {}

    /** The name that the response gives, else the last part of its path, else one made from its content type. */
    public static String of(OutboundResponse response) {
        var name = disposed(response.headers().get("content-disposition"))
                .or(() -> lastSegment(response.address().target()))
                .map(HttpFileName::harmless)
                .filter(text -> !text.isBlank())
                .orElseGet(() -> "unknown." + extensionOf(HttpReply.mediaType(response)));
        return name.length() > LENGTH_MAX ? name.substring(name.length() - LENGTH_MAX) : name;
    }

    /** Usual extension of a media type; {@code bin} when there is none. */
    static String extensionOf(String mediaType) {
        return EXTENSIONS.getOrDefault(mediaType.toLowerCase(Locale.ROOT), "bin");
    }

    private static Optional<String> disposed(String header) {
        if (header == null || header.length() > HEADER_LENGTH_MAX) {
            return Optional.empty();
        }
        var extended = EXTENDED.matcher(header);
        if (extended.find()) {
            return Optional.of(decoded(extended.group(1), StandardCharsets.UTF_8));
        }
        var plain = PLAIN.matcher(header);
        if (!plain.find()) {
            return Optional.empty();
        }
        return Optional.of(
                plain.group(1) == null ? plain.group(2) : plain.group(1).replaceAll("\\\\(.)", "$1"));
    }

    private static Optional<String> lastSegment(String target) {
        var path = target.split("\\?", 2)[0];
        var segment = path.substring(path.lastIndexOf('/') + 1);
        return segment.indexOf('.') < 0 ? Optional.empty() : Optional.of(decoded(segment, StandardCharsets.UTF_8));
    }

    private static String decoded(String text, Charset charset) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), charset);
        } catch (IllegalArgumentException notEncoded) {
            // A percent sign without an encoding is literal.
            return text;
        }
    }

    /** Restricts the name to a file name, so that a server cannot choose a folder. */
    private static String harmless(String name) {
        return name.replaceAll("[\\\\/\\p{Cntrl}]", "_");
    }
}
