package io.millrace.piece.openapi;

import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Documents of the tests, and conversions with default options. */
final class Documents {
    static final int BYTES_MAX = 10 << 20;
    private static final Path FOLDER = Path.of("src/test/resources/openapi");

    private Documents() {}

    static List<String> names() {
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static String text(String name) {
        try {
            return Files.readString(FOLDER.resolve(name));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static ConversionOptions options() {
        return new ConversionOptions(
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("https://docs.example.com/open/api.yaml"),
                Map.of(),
                Set.of(),
                2_000,
                200);
    }

    static DocumentConverter.Conversion convert(String name) {
        return DocumentConverter.convert(text(name), BYTES_MAX, options());
    }

    /** A document with that many operations. */
    static String large(int operations) {
        var document = Json.object().put("openapi", "3.0.3");
        document.putObject("info").put("title", "Large").put("version", "1");
        document.putArray("servers").addObject().put("url", "https://large.example.com");
        var schemas = document.putObject("components").putObject("schemas");
        schemas.putObject("Row")
                .put("type", "object")
                .putObject("properties")
                .putObject("name")
                .put("type", "string");
        var paths = document.putObject("paths");
        for (var i = 0; i < operations; i++) {
            var operation = paths.putObject("/rows" + i + "/{id}")
                    .putObject("put")
                    .put("operationId", "putRow" + i)
                    .put("summary", "Put row " + i);
            operation.putArray("tags").add("tag" + i % 20);
            operation
                    .putObject("requestBody")
                    .putObject("content")
                    .putObject("application/json")
                    .putObject("schema")
                    .put("$ref", "#/components/schemas/Row");
            operation.putObject("responses").putObject("200").put("description", "ok");
        }
        return Json.text(document);
    }
}
