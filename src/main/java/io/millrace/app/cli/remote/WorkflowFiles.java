package io.millrace.app.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.DeepJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Exported workflows in files.
 *
 * @param problems files that could not be read, with the reason
 */
record WorkflowFiles(List<JsonNode> workflows, List<String> problems) {
    private static final int FILES_MAX = 10_000;
    private static final int DEPTH_MAX = 20;
    private static final long BYTES_MAX = 20L << 20;

    /** Reads a file, or all files of a folder whose names end with {@code .json}. */
    static WorkflowFiles read(Path from) {
        if (!Files.exists(from)) {
            throw RemoteException.data(from + ": expected a file or a folder, found neither");
        }
        var files = new WorkflowFiles(new ArrayList<>(), new ArrayList<>());
        if (Files.isDirectory(from)) {
            files.readFolder(from);
        } else {
            files.readFile(from);
        }
        return files;
    }

    private void readFolder(Path folder) {
        try (var found = Files.walk(folder, DEPTH_MAX)) {
            var names = found.filter(file -> file.toString().endsWith(".json") && Files.isRegularFile(file))
                    .limit(FILES_MAX + 1L)
                    .sorted()
                    .toList();
            if (names.size() > FILES_MAX) {
                throw RemoteException.data(folder + ": expected at most " + FILES_MAX + " files, found more");
            }
            names.forEach(this::readFile);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + folder, unreadable);
        }
    }

    private void readFile(Path file) {
        try {
            if (Files.size(file) > BYTES_MAX) {
                problems.add(file + ": expected at most " + (BYTES_MAX >> 20) + " MB, found a larger file");
                return;
            }
            var json = DeepJson.parse(Files.readAllBytes(file));
            if (json.isArray()) {
                json.forEach(workflows::add);
            } else {
                workflows.add(json);
            }
        } catch (JsonProcessingException malformed) {
            problems.add(file + ": expected JSON: " + malformed.getOriginalMessage());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }
}
