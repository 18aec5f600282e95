package io.millrace.app.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.integration.release.StateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The definition of a project as a folder of JSON files. Flows, tables and connections use the layout of git sync, so that one
 * folder serves both. The content of a file is authoritative, not its name, so that users may rename files.
 */
final class ProjectTree {
    private static final String EXTENSION = ".json";
    private static final String PROJECT = "project.json";

    /** Lists whose items are stored in a file each. */
    private static final List<String> FOLDERS = List.of(StateFiles.FLOWS, StateFiles.TABLES, StateFiles.CONNECTIONS);

    /** Lists that are one file. */
    private static final List<String> LISTS = List.of("folders", "variables");

    private static final String KEY = "externalId";

    private final Path root;

    /** @param root of any file system, that of an archive for instance */
    ProjectTree(Path root) {
        this.root = root;
    }

    ObjectNode read() {
        if (!Files.isRegularFile(root.resolve(PROJECT))) {
            throw RemoteException.data("expected " + root.resolve(PROJECT) + ", found none: project pull creates it");
        }
        var definition = object(root.resolve(PROJECT));
        FOLDERS.forEach(folder -> {
            var list = definition.putArray(folder);
            items(folder).values().forEach(list::add);
        });
        LISTS.forEach(name -> definition.set(name, listOf(root.resolve(name + EXTENSION))));
        return definition;
    }

    /** Calls the server with what {@link #read} has read; a refusal names the files instead of numbers of their items. */
    <T> T naming(Supplier<T> call) {
        return RefusedItems.naming(this::fileOf, call);
    }

    private Optional<String> fileOf(String list, int number) {
        if (LISTS.contains(list)) {
            return Optional.of(root.resolve(list + EXTENSION) + ", item " + (number + 1));
        }
        return items(list).keySet().stream().skip(number).findFirst().map(Path::toString);
    }

    /** The items of a folder by their files, in the order of names. */
    private Map<Path, ObjectNode> items(String folder) {
        var items = new TreeMap<Path, ObjectNode>();
        var directory = root.resolve(folder);
        if (!Files.isDirectory(directory)) {
            return items;
        }
        try (var files = Files.newDirectoryStream(directory, "*" + EXTENSION)) {
            for (var file : files) {
                items.put(file, object(file));
            }
            return items;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + directory, unreadable);
        }
    }

    private static ObjectNode object(Path file) {
        if (parsed(file) instanceof ObjectNode object) {
            return object;
        }
        throw RemoteException.data(file + ": expected a JSON object, found another value");
    }

    private static JsonNode listOf(Path file) {
        if (!Files.exists(file)) {
            return Json.array();
        }
        if (parsed(file) instanceof ArrayNode list) {
            return list;
        }
        throw RemoteException.data(file + ": expected a JSON list, found another value");
    }

    private static JsonNode parsed(Path file) {
        try {
            return DeepJson.parse(Files.readAllBytes(file));
        } catch (JsonProcessingException malformed) {
            throw RemoteException.data(file + " is not JSON: " + malformed.getOriginalMessage() + place(malformed));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    private static String place(JsonProcessingException malformed) {
        var location = malformed.getLocation();
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    /** Writes the definition to the files. Unchanged files are not touched; files of removed items are deleted. */
    int write(ObjectNode definition) {
        try {
            var written = 0;
            for (var folder : FOLDERS) {
                written += writeItems(folder, definition.path(folder));
            }
            for (var name : LISTS) {
                written += writeFile(root.resolve(name + EXTENSION), definition.path(name));
            }
            var project = Json.object();
            project.set("formatVersion", definition.path("formatVersion"));
            return written + writeFile(root.resolve(PROJECT), project);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write to " + root, failed);
        }
    }

    private int writeItems(String folder, JsonNode items) throws IOException {
        var named = new TreeMap<String, Path>();
        var before = items(folder);
        before.forEach((file, item) -> named.putIfAbsent(item.path(KEY).asText(), file));
        var kept = new HashSet<Path>();
        var written = 0;
        for (var item : items) {
            var key = item.path(KEY).asText();
            var file =
                    named.getOrDefault(key, root.resolve(folder).resolve(StateFiles.fileName(displayName(item), key)));
            kept.add(file);
            written += writeFile(file, item);
        }
        for (var file : before.keySet()) {
            if (!kept.contains(file)) {
                Files.delete(file);
                written++;
            }
        }
        return written;
    }

    /** A table has a name, a connection a display name, and a flow the one of its version. */
    private static String displayName(JsonNode item) {
        var name = item.path("displayName").asText(item.path("name").asText());
        return item.at("/version/displayName").asText(name);
    }

    private static int writeFile(Path file, JsonNode content) throws IOException {
        var bytes = DeepJson.lines(content);
        if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
            return 0;
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, bytes);
        return 1;
    }
}
