package io.millrace.piece.feed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Piece index shipped with the server, made by {@code scripts/catalogue}: one file with the content of lists, and one
 * with the full description of each piece, one per line, which is read on demand. Blocking.
 */
final class ServerIndex {
    private static final String LIST = "/catalogue/index.json";
    private static final String DETAILS = "/catalogue/details.jsonl";

    private ServerIndex() {}

    static FeedIndex read() {
        try (var list = resource(LIST)) {
            return FeedIndex.ofServer(Json.parse(list.readAllBytes()));
        } catch (IOException broken) {
            throw new UncheckedIOException("the index of pieces that came with the server cannot be read", broken);
        }
    }

    /** Description of a package from the index; empty where the index has another version or none. */
    static Optional<ObjectNode> metadata(String name, String version) {
        var beginning = Json.text(Json.object().put("name", name).put("version", version));
        var prefix = beginning.substring(0, beginning.length() - 1) + ",";
        try (var lines = new BufferedReader(new InputStreamReader(resource(DETAILS), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(prefix)) {
                    return Optional.of((ObjectNode) Json.parse(line).path("metadata"));
                }
            }
            return Optional.empty();
        } catch (IOException broken) {
            throw new UncheckedIOException(
                    "the descriptions of pieces that came with the server cannot be read", broken);
        }
    }

    private static InputStream resource(String name) throws IOException {
        var stream = ServerIndex.class.getResourceAsStream(name);
        if (stream == null) {
            throw new IOException(name + " is missing");
        }
        return stream;
    }
}
