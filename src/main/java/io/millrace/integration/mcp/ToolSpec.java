package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;

/**
 * What a tool is called and takes.
 *
 * @param permission what a caller must hold in the project; null when any role suffices
 * @param effect what clients tell the person before they call it
 */
record ToolSpec(String name, String title, String description, ToolInput input, Permission permission, Effect effect) {
    /** What a call changes. */
    enum Effect {
        READS,
        WRITES,
        DESTROYS,
        /** A flow may do anything. */
        UNKNOWN
    }

    ObjectNode toJson() {
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
}
