package io.millrace.piece.model;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What an embedding model made of some texts.
 *
 * @param vectors one for each text, in their order; each has {@link #DIMENSIONS} numbers and the length 1
 * @param tokens how much was read
 * @param credits what they took of the platform's AI credits; empty where a key of one's own was used
 */
public record ModelVectors(List<float[]> vectors, long tokens, OptionalDouble credits) {
    /** Every vector is cut to this, whatever the model makes, so that all can be compared (contract agents 4.4). */
    public static final int DIMENSIONS = 768;

    public ModelVectors {
        vectors = List.copyOf(vectors);
        tokens = Math.clamp(tokens, 0, ModelResponse.TOKENS_MAX);
    }

    /** The same, which took so much of the platform's AI credits. */
    public ModelVectors taking(OptionalDouble taken) {
        return new ModelVectors(vectors, tokens, taken);
    }

    @Override
    public String toString() {
        return "ModelVectors[" + vectors.size() + "]";
    }
}
