package io.millrace.piece.openapi;

/** A document that cannot become a piece; the message names the reason and the cure. */
public final class UnusableDocument extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableDocument(String message) {
        super(message, null, false, false);
    }
}
