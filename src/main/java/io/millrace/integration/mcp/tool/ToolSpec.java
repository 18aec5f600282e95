package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.stream.Stream;

/**
 * Name, description and input of a tool.
 *
 * @param permission required permission in the project; null if any role suffices
 * @param effect effect that clients show to the user before the call
 */
public record ToolSpec(
        String name, String title, String description, ToolInput input, Permission permission, Effect effect) {
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

    /**
     * Validates the arguments of a call. An unknown argument is an error too, except for flows, which accept all arguments and
     * use the known ones.
     */
    public List<String> objections(ObjectNode arguments) {
        var found = input.objections(arguments);
        return effect == Effect.UNKNOWN
                ? found
                : Stream.concat(found.stream(), input.unknown(arguments).stream())
                        .toList();
    }
}
