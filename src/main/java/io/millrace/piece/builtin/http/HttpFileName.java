package io.millrace.piece.builtin.http;

import io.millrace.base.core.text.HeaderValue;
import io.millrace.base.core.text.PercentText;
import io.millrace.base.net.OutboundResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds a name for a downloaded file (contract flows-and-engine 8.5). */
public final class HttpFileName {
    private static final int LENGTH_MAX = 255;

    /** A longer header names no file. */
    private static final int HEADER_LENGTH_MAX = 1024;

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

    public static String of(OutboundResponse response) {
        var name = disposed(response.headers().get("content-disposition"))
                .or(() -> lastSegment(response.address().target()))
                .map(HttpFileName::harmless)
                .filter(text -> !text.isBlank())
                .orElseGet(() -> "unknown." + extensionOf(HttpReply.mediaType(response)));
        if (name.length() <= LENGTH_MAX) {
            return name;
        }
        var from = name.length() - LENGTH_MAX;
        return name.substring(Character.isLowSurrogate(name.charAt(from)) ? from + 1 : from);
    }

    static String extensionOf(String mediaType) {
        return EXTENSIONS.getOrDefault(mediaType.toLowerCase(Locale.ROOT), "bin");
    }

    private static Optional<String> disposed(String header) {
        return header == null || header.length() > HEADER_LENGTH_MAX ? Optional.empty() : HeaderValue.fileName(header);
    }

    private static Optional<String> lastSegment(String target) {
        var path = target.split("\\?", 2)[0];
        var segment = path.substring(path.lastIndexOf('/') + 1);
        return segment.indexOf('.') < 0
                ? Optional.empty()
                : Optional.of(PercentText.decoded(segment, StandardCharsets.UTF_8));
    }

    /** Restricts the name to a file name, so that a server cannot choose a folder. */
    private static String harmless(String name) {
        return name.replaceAll("[\\\\/\\p{Cntrl}]", "_");
    }
}
