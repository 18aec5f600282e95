package io.millrace.sandbox.node;

/**
 * What a package printed during a call, bounded; may hold secrets.
 *
 * @param standardOutput what went to the standard output, and to the console's plain functions
 * @param standardError what went to the error output, and to the console's warnings and errors
 */
public record Printed(String standardOutput, String standardError) {
    /** Nothing. */
    public static final Printed NOTHING = new Printed("", "");

    /** Whether there is nothing. */
    public boolean isEmpty() {
        return standardOutput.isEmpty() && standardError.isEmpty();
    }
}
