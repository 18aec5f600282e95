package io.millrace.piece.model;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Listener of a streamed answer of a model.
 *
 * @param text receives each part of the text as it arrives; the complete answer repeats the whole text
 * @param cancelled completes when the answer is no longer needed: the request is aborted, and the call fails
 */
public record AnswerListener(Consumer<String> text, Future<Void> cancelled) {
    public static AnswerListener of(Consumer<String> text) {
        return new AnswerListener(text, Future.future(_ -> {}));
    }
}
