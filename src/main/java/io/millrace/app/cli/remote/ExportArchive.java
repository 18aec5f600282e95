package io.millrace.app.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Zip archive of projects and templates: one folder for each project in the format of {@code project pull}, so that the
 * unpacked file can be used as flows as code. Also holds agents and, if requested, records of tables.
 */
final class ExportArchive {
    private static final String FORMAT = "millrace-export-1";
    private static final String CONTENTS = "millrace-export.json";
    private static final String PROJECTS = "projects";
    private static final String TEMPLATES = "templates";
    private static final String AGENTS = "agents";
    private static final String RECORDS = "records";
    private static final String TABLE = "table";

    /**
     * A project with its content.
     *
     * @param agents content of each by {@link AgentImport#contentOf}
     * @param records by the external ids of their tables; empty in an export without them
     */
    record ExportedProject(
            String displayName,
            String externalId,
            ObjectNode definition,
            List<ObjectNode> agents,
            Map<String, List<ObjectNode>> records) {
        ExportedProject {
            agents = List.copyOf(agents);
            records = Map.copyOf(records);
        }
    }

    private final List<ExportedProject> projects;
    private final List<ObjectNode> templates;

    ExportArchive(List<ExportedProject> projects, List<ObjectNode> templates) {
        this.projects = List.copyOf(projects);
        this.templates = List.copyOf(templates);
    }

    List<ExportedProject> projects() {
        return projects;
    }

    List<ObjectNode> templates() {
        return templates;
    }

    /** Writes the file, which is renamed to its final name when complete; refuses an existing file. */
    void write(Path file, String release, Instant now) {
        if (Files.exists(file)) {
            throw RemoteException.data(file + " already exists: choose another name");
        }
        try {
            var aside = Files.createTempDirectory(
                    file.toAbsolutePath().getParent(),
                    file.getFileName() + ".",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            var part = aside.resolve("part");
            try {
                try (var archive = FileSystems.newFileSystem(part, Map.of("create", "true"))) {
                    write(archive, release, now);
                }
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
                Files.delete(aside);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file + ": " + failure.getMessage(), failure);
        }
    }

    private void write(FileSystem archive, String release, Instant now) throws IOException {
        var contents =
                Json.object().put("format", FORMAT).put("release", release).put("exported", now.toString());
        var listed = contents.putArray("projects");
        for (var number = 0; number < projects.size(); number++) {
            var project = projects.get(number);
            var folder = PROJECTS + "/" + (number + 1);
            new ProjectTree(archive.getPath(folder)).write(project.definition());
            writeAll(archive.getPath(folder, AGENTS), project.agents());
            writeAll(archive.getPath(folder, RECORDS), recordFiles(project));
            listed.addObject()
                    .put("folder", folder)
                    .put("displayName", project.displayName())
                    .put("externalId", project.externalId());
        }
        writeAll(archive.getPath(TEMPLATES), templates);
        Files.write(archive.getPath(CONTENTS), DeepJson.lines(contents));
    }

    private static List<ObjectNode> recordFiles(ExportedProject project) {
        return project.records().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(table -> {
                    var file = Json.object().put(TABLE, table.getKey());
                    file.putArray(RECORDS).addAll(table.getValue());
                    return file;
                })
                .toList();
    }

    private static void writeAll(Path folder, List<ObjectNode> items) throws IOException {
        Files.createDirectories(folder);
        for (var number = 0; number < items.size(); number++) {
            Files.write(folder.resolve((number + 1) + ".json"), DeepJson.lines(items.get(number)));
        }
    }

    /** Reads a whole file; refuses files that are not an export. */
    static ExportArchive read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw RemoteException.data("expected an export file, found none at " + file);
        }
        try (var archive = FileSystems.newFileSystem(file)) {
            var contents = object(archive.getPath(CONTENTS));
            if (!contents.path("format").asText().equals(FORMAT)) {
                throw RemoteException.data(file + ": expected an export of the format " + FORMAT + ", found "
                        + contents.path("format").asText("none"));
            }
            var projects = new ArrayList<ExportedProject>();
            for (var listed : contents.path("projects")) {
                var folder = archive.getPath(listed.path("folder").asText());
                projects.add(new ExportedProject(
                        listed.path("displayName").asText(),
                        listed.path("externalId").textValue(),
                        new ProjectTree(folder).read(),
                        objects(folder.resolve(AGENTS)),
                        records(folder.resolve(RECORDS))));
            }
            return new ExportArchive(projects, objects(archive.getPath(TEMPLATES)));
        } catch (ProviderNotFoundException | IOException damaged) {
            throw RemoteException.data(file + " is not an export, or is damaged: " + damaged.getMessage());
        }
    }

    private static Map<String, List<ObjectNode>> records(Path folder) throws IOException {
        var records = new HashMap<String, List<ObjectNode>>();
        for (var file : objects(folder)) {
            records.put(
                    file.path(TABLE).asText(),
                    file.path(RECORDS)
                            .valueStream()
                            .map(record -> object(record, folder))
                            .toList());
        }
        return records;
    }

    private static List<ObjectNode> objects(Path folder) throws IOException {
        var objects = new ArrayList<ObjectNode>();
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder)) {
                for (var file : files) {
                    objects.add(object(file));
                }
            }
        }
        return objects;
    }

    private static ObjectNode object(Path file) throws IOException {
        try {
            return object(DeepJson.parse(Files.readAllBytes(file)), file);
        } catch (JsonProcessingException malformed) {
            throw RemoteException.data(file + " is not JSON: " + malformed.getOriginalMessage());
        }
    }

    private static ObjectNode object(JsonNode read, Path where) {
        if (read instanceof ObjectNode object) {
            return object;
        }
        throw RemoteException.data(where + ": expected a JSON object, found another value");
    }
}
