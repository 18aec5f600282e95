package io.millrace.workspace.oauth;

/**
 * A token that was not given. The text names the provider's own error at most. Has no stack, because it is a result and
 * not a defect.
 */
public final class OAuthFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Decides between a retry and the end of the connection. */
    public enum Kind {
        /** The provider has understood and refused: the credentials are no longer valid. */
        REFUSED,
        /** The response is neither a token nor a refusal: a page of a proxy, a redirect, or empty. */
        UNCLEAR,
        /** There was no answer, or none that decides anything. */
        UNANSWERED
    }

    private final Kind kind;

    OAuthFailure(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
