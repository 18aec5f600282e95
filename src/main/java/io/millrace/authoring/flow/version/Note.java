package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Objects;

/**
 * A note on the canvas of a flow version (contract flows-and-engine 2.10).
 *
 * @param id chosen by the client
 * @param ownerId null when an API key wrote it
 * @param createdAt ISO-8601, set by the server
 * @param updatedAt ISO-8601, set by the server
 */
public record Note(
        String id,
        String content,
        String ownerId,
        Color color,
        Position position,
        Size size,
        String createdAt,
        String updatedAt) {

    /** Colors of a note; the constants are the names in the wire format. */
    public enum Color {
        ORANGE,
        RED,
        GREEN,
        BLUE,
        PURPLE,
        YELLOW;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Position of the upper left corner. */
    public record Position(double x, double y) {}

    public record Size(double width, double height) {}

    public Note {
        Objects.requireNonNull(id);
        Objects.requireNonNull(content);
        Objects.requireNonNull(color);
        Objects.requireNonNull(position);
        Objects.requireNonNull(size);
    }

    public static Note stored(JsonNode json) {
        return new Note(
                json.path("id").asText(),
                json.path("content").asText(),
                json.path("ownerId").textValue(),
                colorOf(json.path("color").asText()),
                new Position(
                        json.path("position").path("x").doubleValue(),
                        json.path("position").path("y").doubleValue()),
                new Size(
                        json.path("size").path("width").doubleValue(),
                        json.path("size").path("height").doubleValue()),
                json.path("createdAt").textValue(),
                json.path("updatedAt").textValue());
    }

    private static Color colorOf(String word) {
        return Color.valueOf(word.toUpperCase(java.util.Locale.ROOT));
    }

    public Note stamped(String owner, String createdTime, String updatedTime) {
        return new Note(id, content, owner, color, position, size, createdTime, updatedTime);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("content", content)
                .put("ownerId", ownerId)
                .put("color", color.word());
        json.putObject("position").put("x", position.x()).put("y", position.y());
        json.putObject("size").put("width", size.width()).put("height", size.height());
        return json.put("createdAt", createdAt).put("updatedAt", updatedAt);
    }
}
