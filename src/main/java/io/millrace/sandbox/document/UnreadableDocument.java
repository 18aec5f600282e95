package io.millrace.sandbox.document;

/** A document has no text that can be had; the message is for people. */
public final class UnreadableDocument extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableDocument(String message) {
        super(message, null, false, false);
    }
}
