package io.millrace.sandbox.node.call;

/** Refusal of a package's question, as the error that the package sees. */
public final class ReverseFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String errorName;
    private final boolean engine;

    /**
     * @param errorName for example StorageLimitError
     * @param engine true for a fault of the server, which ends the run as an internal error (contract pieces 8.3)
     */
    public ReverseFailure(String errorName, String message, boolean engine) {
        super(message, null, false, false);
        this.errorName = errorName;
        this.engine = engine;
    }

    public String errorName() {
        return errorName;
    }

    public boolean engine() {
        return engine;
    }
}
