package io.millrace.piece.model;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Vectors of some texts from an embedding model.
 *
 * @param vectors one for each text, in their order; each has {@link #DIMENSIONS} numbers and the length 1
 * @param tokens number of input tokens
 * @param credits consumed AI credits of the platform; empty when the platform used its own key
 */
public record ModelVectors(List<float[]> vectors, long tokens, OptionalDouble credits) {
    /**
     * Common length of all vectors, to which longer ones are truncated so that they can be compared (contract agents
     * 4.4).
     */
    public static final int DIMENSIONS = 768;

    public ModelVectors {
        vectors = List.copyOf(vectors);
        tokens = Math.clamp(tokens, 0, ModelResponse.TOKENS_MAX);
    }

    /** The same vectors with the consumed AI credits of the platform. */
    public ModelVectors taking(OptionalDouble taken) {
        return new ModelVectors(vectors, tokens, taken);
    }

    @Override
    public String toString() {
        return "ModelVectors[" + vectors.size() + "]";
    }
}
