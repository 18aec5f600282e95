package io.millrace.sandbox.expression.value;

/**
 * A problem that fails the step instead of giving an empty text: a connection that cannot be used, an exhausted limit
 * (contract flows-and-engine 7.5, 7.6, 11.4).
 */
public final class ExpressionFailure extends RuntimeException {
    /** Error name when an expression asks for more work or memory than one step may have. */
    public static final String LIMIT_EXCEEDED = "ExpressionLimitExceeded";

    /** Error name when a router condition has no operator (contract 10). */
    public static final String OPERATOR_NOT_SET = "OperatorNotSet";

    private static final long serialVersionUID = 1;

    private final String errorName;

    public ExpressionFailure(String errorName, String message) {
        super(message, null, false, false);
        this.errorName = errorName;
    }

    public String errorName() {
        return errorName;
    }
}
