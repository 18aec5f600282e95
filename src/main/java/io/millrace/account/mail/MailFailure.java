package io.millrace.account.mail;

/**
 * A message that the server did not accept. The text has the cause, with the server's reply if there is one; never a password
 * or content. Has no stack trace, because it is a result and not a defect.
 */
public final class MailFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public enum Kind {
        BLOCKED_ADDRESS,
        /** No SMTP session: unknown name, connection refused, timeout, disconnect, no encryption. */
        UNREACHABLE,
        LOGIN_REFUSED,
        REFUSED_FOR_NOW,
        /** Permanent refusal of the server. */
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
