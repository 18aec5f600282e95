package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a model answered.
 *
 * @param text all texts, joined
 * @param sources addresses that a web search found
 * @param raw the message as the provider wrote it, to be sent back with the next question
 * @param credits what it took of the platform's AI credits; empty where a key of one's own was used
 */
public record ModelResponse(
        String text,
        List<ToolRequest> calls,
        Ending ending,
        long inputTokens,
        long outputTokens,
        List<String> sources,
        JsonNode raw,
        OptionalDouble credits) {
    /** How an answer ended. */
    public enum Ending {
        WHOLE,
        /** By the limit of what a model may put out. */
        CUT_OFF,
        /** The model, or a filter of its provider, did not want to answer. */
        REFUSED
    }

    public ModelResponse {
        calls = List.copyOf(calls);
        sources = List.copyOf(sources);
    }

    /** An answer for a key of one's own. */
    public ModelResponse(
            String text,
            List<ToolRequest> calls,
            Ending ending,
            long inputTokens,
            long outputTokens,
            List<String> sources,
            JsonNode raw) {
        this(text, calls, ending, inputTokens, outputTokens, sources, raw, OptionalDouble.empty());
    }

    /** The same, which took so much of the platform's AI credits. */
    public ModelResponse taking(OptionalDouble taken) {
        return new ModelResponse(text, calls, ending, inputTokens, outputTokens, sources, raw, taken);
    }

    /** Neither text nor calls. */
    public boolean isEmpty() {
        return text.isBlank() && calls.isEmpty();
    }
}
