package io.millrace.workspace.oauth;

/**
 * Failed token request. The text names at most the provider's own error. Has no stack trace, because it is a result and not a
 * defect.
 */
public final class OAuthFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Decides between a retry and the end of the connection. */
    public enum Kind {
        /** The provider has understood and refused: the credentials are no longer valid. */
        REFUSED,
        /** The response is neither a token nor a refusal: a page of a proxy, a redirect, or empty. */
        UNCLEAR,
        /** No response, or an indecisive one. */
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
