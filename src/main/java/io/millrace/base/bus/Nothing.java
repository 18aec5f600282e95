package io.millrace.base.bus;

/** The answer of a request without a result. */
public enum Nothing {
    DONE
}
