package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The collection of workflows for tests of the importer. */
public final class ImportSamples {
    public static final Path FOLDER = Path.of("src/test/resources/n8n");
    static final String DATE = "2026-01-05T10:20:30.123Z";

    private ImportSamples() {}

    static List<Path> files() {
        try (var files = Files.list(FOLDER)) {
            return files.sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public static JsonNode read(Path file) {
        try {
            return Json.parse(Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The complete collection as one list. */
    public static JsonNode all() {
        var list = Json.array();
        files().forEach(file -> list.add(read(file)));
        return list;
    }

    /** The workflow of a file by the beginning of its name. */
    public static JsonNode named(String prefix) {
        return files().stream()
                .filter(file -> file.getFileName().toString().startsWith(prefix))
                .findFirst()
                .map(ImportSamples::read)
                .orElseThrow();
    }

    static WorkflowImport translate(JsonNode workflow) {
        return new WorkflowTranslator(2_000, DATE).translate(workflow);
    }
}
