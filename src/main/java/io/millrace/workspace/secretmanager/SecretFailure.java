package io.millrace.workspace.secretmanager;

/** Failure to resolve a secret. The text names neither a secret nor the server's credentials. */
final class SecretFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    enum Kind {
        /** The manager refused the server's credentials, or returned no value. */
        REFUSED,
        /** The path does not lead to one secret text. */
        NOT_SECRET
    }

    private final Kind kind;

    private SecretFailure(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    static SecretFailure refused(String message) {
        return new SecretFailure(Kind.REFUSED, message);
    }

    static SecretFailure notSecret(String message) {
        return new SecretFailure(Kind.NOT_SECRET, message);
    }

    Kind kind() {
        return kind;
    }
}
