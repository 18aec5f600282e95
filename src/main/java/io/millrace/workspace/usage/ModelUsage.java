package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * What was used of one model.
 *
 * @param inputTokens what it read; 0 where the provider does not say
 * @param outputTokens what it wrote
 * @param credits what it took of the platform's AI credits
 */
record ModelUsage(
        String provider, String model, Kind kind, long calls, long inputTokens, long outputTokens, double credits) {
    /** What models are asked for. */
    enum Kind {
        CHAT,
        EMBEDDING,
        IMAGE
    }

    ObjectNode toJson() {
        return Json.object()
                .put("provider", provider)
                .put("model", model)
                .put("kind", kind.name())
                .put("calls", calls)
                .put("inputTokens", inputTokens)
                .put("outputTokens", outputTokens)
                .put("aiCredits", credits);
    }
}
