package io.millrace.piece.model;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Listener of an answer of a model while it is written.
 *
 * @param text given each piece of the text; the whole answer has all of it
 * @param cancelled completes when the answer is not needed any longer: the request is aborted, and the call fails
 */
public record AnswerListener(Consumer<String> text, Future<Void> cancelled) {
    /** A listener that waits for the whole answer. */
    public static AnswerListener of(Consumer<String> text) {
        return new AnswerListener(text, Future.future(_ -> {}));
    }
}
