package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;

/**
 * The step that ended a run (contract flows-and-engine 5.1).
 *
 * @param message truncated to 700 characters, or null
 */
public record FailedStep(
        String name, String displayName, @Nullable String message) {
    private static final int MESSAGE_CHARACTERS_MAX = 700;

    public FailedStep {
        message = message == null ? null : CutText.marked(message.replace("\0", ""), MESSAGE_CHARACTERS_MAX, "…");
    }

    public FailedStep withoutMessage() {
        return new FailedStep(name, displayName, null);
    }

    public ObjectNode toJson() {
        var json = Json.object().put("name", name).put("displayName", displayName);
        if (message != null) {
            json.put("message", message);
        }
        return json;
    }
}
