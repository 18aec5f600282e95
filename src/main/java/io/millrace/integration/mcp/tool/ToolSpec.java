package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a tool is called and takes.
 *
 * @param permission what a caller must hold in the project; null when any role suffices
 * @param effect what clients tell the person before they call it
 */
public record ToolSpec(
        String name, String title, String description, ToolInput input, Permission permission, Effect effect) {
    /** What a call changes. */
    public enum Effect {
        READS,
        WRITES,
        DESTROYS,
        /** A flow may do anything. */
        UNKNOWN
    }

    public ObjectNode toJson() {
        var json = Json.object().put("name", name).put("title", title).put("description", description);
        json.set("inputSchema", input.schema());
        var annotations = json.putObject("annotations").put("title", title);
        switch (effect) {
            case READS -> annotations.put("readOnlyHint", true);
            case WRITES -> annotations.put("readOnlyHint", false).put("destructiveHint", false);
            case DESTROYS -> annotations.put("readOnlyHint", false).put("destructiveHint", true);
            case UNKNOWN -> annotations.put("openWorldHint", true);
        }
        return json;
    }

    /** The tool for those who decide whether it is shown. */
    public ObjectNode toListing(boolean enabled) {
        return Json.object()
                .put("name", name)
                .put("title", title)
                .put("description", description)
                .put("effect", effect.name())
                .put("enabled", enabled);
    }

    /**
     * What is wrong with the arguments of a call. One that the tool does not have is wrong, too, as it is hardly what its
     * caller wanted; but flows take what their callers send, and use what they know.
     */
    public List<String> objections(ObjectNode arguments) {
        var found = input.objections(arguments);
        return effect == Effect.UNKNOWN
                ? found
                : Stream.concat(found.stream(), input.unknown(arguments).stream())
                        .toList();
    }
}
