package io.millrace.sandbox.document;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

public enum DocumentKind {
    PLAIN(List.of("txt", "text", "log"), "text/plain"),
    MARKDOWN(List.of("md", "markdown"), "text/markdown", "text/x-markdown"),
    CSV(List.of("csv"), "text/csv", "application/csv"),
    JSON(List.of("json"), "application/json"),
    HTML(List.of("html", "htm"), "text/html", "application/xhtml+xml"),
    PDF(List.of("pdf"), "application/pdf"),
    DOCX(List.of("docx"), "application/vnd.openxmlformats-officedocument.wordprocessingml.document");

    private final List<String> endings;
    private final List<String> types;

    DocumentKind(List<String> endings, String... types) {
        this.endings = endings;
        this.types = List.of(types);
    }

    /** True if it needs a parser, which runs in a separate process. */
    boolean isParsed() {
        return this == HTML || this == PDF || this == DOCX;
    }

    /** Kind of a file, by the extension first: some clients send the same content type for all files. */
    public static Optional<DocumentKind> of(String fileName, String contentType) {
        var ending = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        var type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(kind -> kind.endings.contains(ending) && fileName.contains("."))
                .findFirst()
                .or(() -> Arrays.stream(values())
                        .filter(kind -> kind.types.contains(type))
                        .findFirst());
    }

    public static String options() {
        return "pdf, docx, plain text, Markdown, CSV, JSON and HTML";
    }
}
