package io.millrace.base.config;

/** A setting that stops the start. The message names the variable, what was expected and what was found. */
public final class BadSetting extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadSetting(String message) {
        super(message);
    }
}
