package io.millrace.authoring.knowledge;

import io.millrace.piece.model.ModelVectors;
import io.vertx.core.buffer.Buffer;

final class Vectors {
    private static final int BYTES = Float.BYTES;

    private Vectors() {}

    static Buffer written(float[] vector) {
        var buffer = Buffer.buffer(vector.length * BYTES);
        for (var number : vector) {
            buffer.appendFloat(number);
        }
        return buffer;
    }

    /** Similarity from 0 (unrelated) to 1 (same direction). */
    static double similarity(Buffer question, Buffer kept) {
        var product = 0.0;
        var squares = 0.0;
        var squaresOfKept = 0.0;
        for (var index = 0; index < ModelVectors.DIMENSIONS; index++) {
            double asked = question.getFloat(index * BYTES);
            double number = kept.getFloat(index * BYTES);
            product += asked * number;
            squares += asked * asked;
            squaresOfKept += number * number;
        }
        var lengths = Math.sqrt(squares) * Math.sqrt(squaresOfKept);
        return lengths == 0 ? 0 : Math.clamp(product / lengths, 0, 1);
    }
}
