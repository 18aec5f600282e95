package io.millrace.base.net;

/**
 * Failure of an exchange without a response. The text names at most host, address and port, and no path, query, header or
 * body. Has no stack, because it is a result and not a defect.
 */
public final class OutboundFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public enum Kind {
        /** The guard refused the address (contract admin-api 1.15, flows-and-engine 11.4). */
        BLOCKED_ADDRESS,
        /** The request itself cannot be sent. */
        INVALID_REQUEST,
        NAME_NOT_FOUND,
        CONNECTION_REFUSED,
        UNREACHABLE,
        TIMED_OUT,
        CONNECTION_RESET,
        TLS_FAILED,
        PROXY_FAILED,
        TOO_MANY_REDIRECTS,
        BODY_TOO_LARGE,
        MALFORMED_RESPONSE,
        TOO_BUSY,
        /** The circuit breaker of the host is open: the call was not made. */
        CIRCUIT_OPEN,
        /** The sender has lost its fence: the request was not sent. */
        FENCED,
        CANCELLED,
        OTHER;

        /** Returns true if the host did not answer, so that the next call may as well be skipped. */
        boolean isUnanswered() {
            return switch (this) {
                case NAME_NOT_FOUND,
                        CONNECTION_REFUSED,
                        UNREACHABLE,
                        TIMED_OUT,
                        CONNECTION_RESET,
                        TLS_FAILED,
                        PROXY_FAILED -> true;
                case BLOCKED_ADDRESS,
                        INVALID_REQUEST,
                        TOO_MANY_REDIRECTS,
                        BODY_TOO_LARGE,
                        MALFORMED_RESPONSE,
                        TOO_BUSY,
                        CIRCUIT_OPEN,
                        FENCED,
                        CANCELLED,
                        OTHER -> false;
            };
        }
    }

    private final Kind kind;

    public OutboundFailure(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Name of the error for code that checks error names: SSRFBlockedError or FetchError (flows-and-engine 11.4). */
    public String errorName() {
        return kind == Kind.BLOCKED_ADDRESS ? "SSRFBlockedError" : "FetchError";
    }
}
