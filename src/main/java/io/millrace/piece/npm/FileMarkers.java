package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.input.FileValue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * File transfer between the server and a package's process: small files inside the frame, large ones through a shared
 * folder (contract pieces 9.1).
 */
final class FileMarkers {
    private static final int INLINE_BYTES_MAX = 256 * 1024;

    private final Vertx vertx;
    private final Path folder;
    private final List<Path> written = new ArrayList<>();
    private final List<Future<Void>> writing = new ArrayList<>();

    FileMarkers(Vertx vertx, Path folder) {
        this.vertx = vertx;
        this.folder = folder;
    }

    /** Replaces files in the input by markers; completes when the large ones are written to the exchange folder. */
    Future<JsonNode> marked(JsonNode input) {
        var marked = mark(input);
        return Future.all(writing).map(marked);
    }

    private JsonNode mark(JsonNode value) {
        var file = FileValue.of(value);
        if (file.isPresent()) {
            return marker(file.get());
        }
        if (value instanceof ArrayNode list) {
            var marked = Json.array();
            list.forEach(item -> marked.add(mark(item)));
            return marked;
        }
        if (value instanceof ObjectNode object) {
            var marked = Json.object();
            object.properties().forEach(field -> marked.set(field.getKey(), mark(field.getValue())));
            return marked;
        }
        return value;
    }

    private JsonNode marker(FileValue file) {
        var marker = Json.object();
        var described = marker.putObject("$file").put("name", file.fileName()).put("ext", file.extension());
        if (file.data().length() <= INLINE_BYTES_MAX) {
            described.put(
                    "base64", Base64.getEncoder().encodeToString(file.data().getBytes()));
        } else {
            var path = folder.resolve("in-" + UUID.randomUUID());
            written.add(path);
            writing.add(vertx.executeBlocking(
                    () -> {
                        Files.createDirectories(folder);
                        Files.write(path, file.data().getBytes());
                        return null;
                    },
                    false));
            described.put("path", path.toString());
        }
        return marker;
    }

    void remove() {
        if (!written.isEmpty()) {
            vertx.executeBlocking(
                    () -> {
                        for (var path : written) {
                            Files.deleteIfExists(path);
                        }
                        return null;
                    },
                    false);
        }
    }

    /**
     * Reads the contents of a file that a package returns.
     *
     * @param exchange folder of the package's process
     * @param bytesMax larger files are truncated one byte above this limit, so that the file store rejects them
     */
    static Future<Buffer> contents(Vertx vertx, ObjectNode params, Path exchange, long bytesMax) {
        if (!params.has("path")) {
            return Future.succeededFuture(Buffer.buffer(
                    Base64.getDecoder().decode(params.path("base64").asText())));
        }
        // Only the file name is used, and links are not followed: the folder is writable by the untrusted package.
        var file = exchange.resolve(Path.of(params.path("path").asText()).getFileName());
        return vertx.executeBlocking(
                () -> {
                    var options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                    try (var channel = Files.newByteChannel(file, options)) {
                        var limit = (int) Math.min(Integer.MAX_VALUE - 8, bytesMax + 1);
                        return Buffer.buffer(Channels.newInputStream(channel).readNBytes(limit));
                    }
                },
                false);
    }
}
