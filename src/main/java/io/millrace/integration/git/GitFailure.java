package io.millrace.integration.git;

/** Why an operation on a remote did not come about. The message is for the caller and carries no secret. */
final class GitFailure extends Exception {
    private static final long serialVersionUID = 1;

    /** Who can do something about it. */
    enum Kind {
        /** The remote cannot be reached, is not who it was, or refuses. */
        REFUSED,
        /** The remote has more than this server takes. */
        TOO_LARGE,
        /** The lease of this server ended before the request could leave. */
        FENCED,
        /** Somebody else has pushed meanwhile: another try may succeed. */
        OVERTAKEN
    }

    private final Kind kind;

    GitFailure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    GitFailure(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }
}
