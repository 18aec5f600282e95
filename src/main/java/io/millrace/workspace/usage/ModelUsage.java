package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * Usage of one model.
 *
 * @param inputTokens tokens of the requests; 0 where the provider does not report them
 * @param outputTokens tokens of the responses
 * @param credits cost in the platform's AI credits
 * @param costMicros cost in microdollars; 0 for models without a price
 */
record ModelUsage(
        String provider,
        String model,
        Kind kind,
        long calls,
        long inputTokens,
        long outputTokens,
        double credits,
        long costMicros) {
    private static final double MICROS_OF_DOLLAR = 1_000_000;

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
                .put("aiCredits", credits)
                .put("costUsd", costMicros / MICROS_OF_DOLLAR);
    }
}
