package io.millrace.account.mail;

/**
 * A message that was not taken. The text says why, with the server's own words where it spoke; never a password or
 * content. Has no stack, because it is a result and not a defect.
 */
public final class MailFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What went wrong. */
    public enum Kind {
        /** The guard refused the address. */
        BLOCKED_ADDRESS,
        /** No conversation came about: no such name, refused, timed out, broken off, not encrypted. */
        UNREACHABLE,
        /** User or password is wrong. */
        LOGIN_REFUSED,
        /** The server will take it later, perhaps. */
        REFUSED_FOR_NOW,
        /** The server will never take it. */
        REFUSED
    }

    private final Kind kind;

    MailFailure(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
