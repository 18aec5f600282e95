package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What a model answered.
 *
 * @param text all texts, joined
 * @param sources addresses that a web search found
 * @param raw the message as the provider wrote it, to be sent back with the next question
 */
public record ModelAnswer(
        String text,
        List<ToolRequest> calls,
        Ending ending,
        long inputTokens,
        long outputTokens,
        List<String> sources,
        JsonNode raw) {
    /** How an answer ended. */
    public enum Ending {
        WHOLE,
        /** By the limit of what a model may put out. */
        CUT_OFF,
        /** The model, or a filter of its provider, did not want to answer. */
        REFUSED
    }

    public ModelAnswer {
        calls = List.copyOf(calls);
        sources = List.copyOf(sources);
    }

    /** Neither text nor calls. */
    public boolean isEmpty() {
        return text.isBlank() && calls.isEmpty();
    }
}
