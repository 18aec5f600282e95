package io.millrace.piece.openapi;

/** A document that cannot become a piece, or an option that does not fit it; the message names the reason and the cure. */
public final class UnusableDocument extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;

    UnusableDocument(String message) {
        this("document", message);
    }

    /** @param field path of the field of the request that has to be changed */
    UnusableDocument(String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    String field() {
        return field;
    }
}
