package io.millrace.sandbox.document;

/** A document whose text cannot be read; the message is for users. */
public final class UnreadableDocument extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableDocument(String message) {
        super(message, null, false, false);
    }
}
