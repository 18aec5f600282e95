package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * Usage of one model.
 *
 * @param inputTokens tokens of the requests; 0 where the provider does not report them
 * @param outputTokens tokens of the responses
 * @param credits cost in the platform's AI credits
 */
record ModelUsage(
        String provider, String model, Kind kind, long calls, long inputTokens, long outputTokens, double credits) {
    /** Kind of request to a model. */
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
