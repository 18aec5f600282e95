package io.millrace.piece.model;

import java.util.List;

/**
 * What an embedding model made of some texts.
 *
 * @param vectors one for each text, in their order; each has {@link #DIMENSIONS} numbers and the length 1
 * @param tokens how much was read
 */
public record ModelVectors(List<float[]> vectors, long tokens) {
    /** Every vector is cut to this, whatever the model makes, so that all can be compared (contract agents 4.4). */
    public static final int DIMENSIONS = 768;

    public ModelVectors {
        vectors = List.copyOf(vectors);
    }

    @Override
    public String toString() {
        return "ModelVectors[" + vectors.size() + "]";
    }
}
