package io.millrace.integration.git;

/** Failure of an operation on a remote. The message is for the caller and contains no secret. */
final class GitFailure extends Exception {
    private static final long serialVersionUID = 1;

    /** Category of a failure, by the party that can resolve it. */
    enum Kind {
        /** The remote is unreachable, has another host key than before, or refuses. */
        REFUSED,
        TOO_LARGE,
        /** The lease of this server ended before the request could leave. */
        FENCED,
        /** Another client has pushed meanwhile: a retry may succeed. */
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
