package io.millrace.sandbox.expression.closure;

/** Code or a value outside of the subset: a worker runs the step. It is part of normal work, so it has no stack. */
final class SubsetExit extends RuntimeException {
    private static final long serialVersionUID = 1;

    SubsetExit(String reason) {
        super(reason, null, false, false);
    }
}
