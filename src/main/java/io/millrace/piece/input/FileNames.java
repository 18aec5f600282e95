package io.millrace.piece.input;

import io.millrace.base.core.text.HeaderValue;
import io.millrace.base.core.text.PercentText;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Names of downloaded files (contract flows-and-engine 8.5). */
public final class FileNames {
    private static final Map<String, String> EXTENSIONS = Map.ofEntries(
            Map.entry("application/json", "json"),
            Map.entry("application/pdf", "pdf"),
            Map.entry("application/zip", "zip"),
            Map.entry("application/gzip", "gz"),
            Map.entry("application/xml", "xml"),
            Map.entry("application/msword", "doc"),
            Map.entry("application/vnd.ms-excel", "xls"),
            Map.entry("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
            Map.entry("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
            Map.entry("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
            Map.entry("audio/mpeg", "mp3"),
            Map.entry("audio/ogg", "ogg"),
            Map.entry("audio/wav", "wav"),
            Map.entry("image/bmp", "bmp"),
            Map.entry("image/gif", "gif"),
            Map.entry("image/jpeg", "jpeg"),
            Map.entry("image/png", "png"),
            Map.entry("image/svg+xml", "svg"),
            Map.entry("image/tiff", "tiff"),
            Map.entry("image/webp", "webp"),
            Map.entry("text/calendar", "ics"),
            Map.entry("text/css", "css"),
            Map.entry("text/csv", "csv"),
            Map.entry("text/html", "html"),
            Map.entry("text/markdown", "md"),
            Map.entry("text/plain", "txt"),
            Map.entry("text/xml", "xml"),
            Map.entry("video/mp4", "mp4"),
            Map.entry("video/mpeg", "mpeg"),
            Map.entry("video/webm", "webm"));

    /** Extensions that the table above has under another name, or twice. */
    private static final Map<String, String> MORE_TYPES = Map.of(
            "jpg", "image/jpeg",
            "htm", "text/html",
            "tif", "image/tiff",
            "xml", "application/xml",
            "js", "text/javascript",
            "yaml", "application/yaml",
            "yml", "application/yaml");

    private static final Map<String, String> TYPES = EXTENSIONS.entrySet().stream()
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey, (first, _) -> first));

    private FileNames() {}

    /**
     * The name of a download: from the content-disposition header, else the last part of the path if it has a dot, else
     * {@code unknown} with the extension of the content type. Header values may be null.
     */
    public static String of(String contentDisposition, String path, String contentType) {
        return ofHeader(contentDisposition)
                .or(() -> ofPath(path))
                .orElseGet(() -> "unknown." + (contentType == null ? "bin" : extensionOf(contentType)));
    }

    /** Extension after the last dot of a name, otherwise {@code bin}. */
    public static String extensionOfName(String fileName) {
        var dot = fileName.lastIndexOf('.');
        return dot < 0 || dot == fileName.length() - 1 ? "bin" : fileName.substring(dot + 1);
    }

    public static List<String> mediaTypes() {
        return EXTENSIONS.keySet().stream().sorted().toList();
    }

    public static String mediaTypeOf(String fileName) {
        var extension = extensionOfName(fileName).toLowerCase(Locale.ROOT);
        var known = MORE_TYPES.getOrDefault(extension, TYPES.get(extension));
        var guessed = known == null ? URLConnection.guessContentTypeFromName("any." + extension) : known;
        return guessed == null ? "application/octet-stream" : guessed;
    }

    static String extensionOf(String mediaType) {
        var end = mediaType.indexOf(';');
        var bare = (end < 0 ? mediaType : mediaType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return EXTENSIONS.getOrDefault(bare, "bin");
    }

    private static Optional<String> ofHeader(String contentDisposition) {
        return HeaderValue.fileName(contentDisposition)
                .map(name -> lastPart(name.strip()))
                .filter(name -> !name.isEmpty());
    }

    private static Optional<String> ofPath(String path) {
        var name = lastPart(PercentText.decoded(path, StandardCharsets.UTF_8));
        return name.contains(".") ? Optional.of(name) : Optional.empty();
    }

    private static String lastPart(String path) {
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }
}
