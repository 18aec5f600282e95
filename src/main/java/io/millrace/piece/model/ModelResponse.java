package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.CutText;
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
 * @param sources addresses that a web search found
 * @param raw opaque provider state for the next request: its message, or the state in it
 */
public record ModelResponse(
        String text,
        String thoughts,
        List<ToolRequest> calls,
        Ending ending,
        Consumption consumption,
        List<String> sources,
        JsonNode raw) {
    /**
     * Cost of the response.
     *
     * @param inputTokens at most {@link #TOKENS_MAX}
     * @param credits consumed AI credits of the platform; empty when the platform used its own key
     */
    public record Consumption(long inputTokens, long outputTokens, OptionalDouble credits) {
        public Consumption {
            // The provider's counts are untrusted: a negative count would refund budget.
            inputTokens = Math.clamp(inputTokens, 0, TOKENS_MAX);
            outputTokens = Math.clamp(outputTokens, 0, TOKENS_MAX);
        }
    }

    public enum Ending {
        WHOLE,
        /** Token limit of the output reached. */
        CUT_OFF,
        /** Refused by the model, or by a filter of its provider. */
        REFUSED
    }

    /** Maximum number of tool calls of one answer; each call is recorded. */
    public static final int CALLS_MAX = 500;

    /** Upper bound for reported token counts, so that their sums cannot overflow. */
    public static final long TOKENS_MAX = 1_000_000_000;

    /** Maximum length of the reasoning kept for display, in characters. */
    public static final int THOUGHTS_LENGTH_MAX = 64 * 1024;

    public ModelResponse {
        if (calls.size() > CALLS_MAX) {
            throw new IllegalArgumentException(
                    "expected at most " + CALLS_MAX + " tool calls in an answer, found " + calls.size());
        }
        thoughts = CutText.of(thoughts, THOUGHTS_LENGTH_MAX);
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
        this(text, "", calls, ending, new Consumption(inputTokens, outputTokens, OptionalDouble.empty()), sources, raw);
    }

    /** The same response with the consumed AI credits of the platform. */
    public ModelResponse taking(OptionalDouble taken) {
        return new ModelResponse(
                text,
                thoughts,
                calls,
                ending,
                new Consumption(consumption.inputTokens(), consumption.outputTokens(), taken),
                sources,
                raw);
    }

    public ModelResponse thinking(String... pieces) {
        var all = Stream.of(pieces).filter(piece -> !piece.isBlank()).collect(Collectors.joining("\n"));
        return new ModelResponse(text, all, calls, ending, consumption, sources, raw);
    }

    public boolean isEmpty() {
        return text.isBlank() && calls.isEmpty();
    }
}
