package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.node.NodeMappings;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;

/** Sticky notes as notes of the canvas. */
final class CanvasNotes {
    private static final int NOTES_MAX = 1_000;
    private static final int CONTENT_MAX = 20_000;
    private static final double SIZE_MAX = 10_000;
    private static final String[] COLORS = {"yellow", "orange", "red", "green", "blue", "purple"};

    private CanvasNotes() {}

    static ArrayNode of(Workflow workflow, String date) {
        var notes = Json.array();
        for (var node : workflow.nodes()) {
            if (!NodeMappings.isNote(node) || notes.size() >= NOTES_MAX) {
                continue;
            }
            var content = node.text("content");
            var note = notes.addObject()
                    .put("id", "n8n-note-" + (notes.size()))
                    .put("content", CutText.of(content, CONTENT_MAX))
                    .put("color", COLORS[Math.floorMod(node.parameter("color").asInt(1) - 1, COLORS.length)])
                    .put("createdAt", date)
                    .put("updatedAt", date);
            note.putObject("position").put("x", node.x()).put("y", node.y());
            note.putObject("size")
                    .put("width", Math.clamp(node.parameter("width").asDouble(240), 1, SIZE_MAX))
                    .put("height", Math.clamp(node.parameter("height").asDouble(160), 1, SIZE_MAX));
        }
        return notes;
    }
}
