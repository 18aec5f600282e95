package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Response of a language model.
 *
 * @param text all texts, joined, without the thoughts
 * @param thoughts readable reasoning of the model, at most {@link #THOUGHTS_LENGTH_MAX} characters; empty text for none
 * @param calls at most {@link #CALLS_MAX}
 * @param inputTokens at most {@link #TOKENS_MAX}
 * @param sources addresses that a web search found
 * @param raw opaque provider state for the next request: its message, or the state in it
 * @param credits consumed AI credits of the platform; empty when the platform used its own key
 */
public record ModelResponse(
        String text,
        String thoughts,
        List<ToolRequest> calls,
        Ending ending,
        long inputTokens,
        long outputTokens,
        List<String> sources,
        JsonNode raw,
        OptionalDouble credits) {
    /** Reason for the end of an answer. */
    public enum Ending {
        WHOLE,
        /** By the limit of what a model may put out. */
        CUT_OFF,
        /** The model, or a filter of its provider, did not want to answer. */
        REFUSED
    }

    /** Most tool calls of one answer; more is no plan of a model, and each is recorded. */
    public static final int CALLS_MAX = 500;

    /** More than any model reads or writes at once: sums of such numbers stay numbers. */
    public static final long TOKENS_MAX = 1_000_000_000;

    /** Longest reasoning that is kept to be shown. */
    public static final int THOUGHTS_LENGTH_MAX = 64 * 1024;

    public ModelResponse {
        if (calls.size() > CALLS_MAX) {
            throw new IllegalArgumentException(
                    "expected at most " + CALLS_MAX + " tool calls in an answer, found " + calls.size());
        }
        thoughts = thoughts.substring(0, Math.min(thoughts.length(), THOUGHTS_LENGTH_MAX));
        // Reported by the provider: a negative count would give back what a run has used of its budget.
        inputTokens = Math.clamp(inputTokens, 0, TOKENS_MAX);
        outputTokens = Math.clamp(outputTokens, 0, TOKENS_MAX);
        calls = List.copyOf(calls);
        sources = List.copyOf(sources);
    }

    /** Creates a response for the platform's own key, without credits. */
    public ModelResponse(
            String text,
            List<ToolRequest> calls,
            Ending ending,
            long inputTokens,
            long outputTokens,
            List<String> sources,
            JsonNode raw) {
        this(text, "", calls, ending, inputTokens, outputTokens, sources, raw, OptionalDouble.empty());
    }

    /** The same, which took so much of the platform's AI credits. */
    public ModelResponse taking(OptionalDouble taken) {
        return new ModelResponse(text, thoughts, calls, ending, inputTokens, outputTokens, sources, raw, taken);
    }

    /** The same with these thoughts; blank ones are left out. */
    public ModelResponse thinking(String... pieces) {
        var all = Stream.of(pieces).filter(piece -> !piece.isBlank()).collect(Collectors.joining("\n"));
        return new ModelResponse(text, all, calls, ending, inputTokens, outputTokens, sources, raw, credits);
    }

    /** Neither text nor calls. */
    public boolean isEmpty() {
        return text.isBlank() && calls.isEmpty();
    }
}
