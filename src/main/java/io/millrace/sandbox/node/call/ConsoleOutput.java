package io.millrace.sandbox.node.call;

/**
 * Output of a package during a call, bounded; may hold secrets.
 *
 * @param standardOutput standard output, and the console's plain functions
 * @param standardError error output, and the console's warnings and errors
 */
public record ConsoleOutput(String standardOutput, String standardError) {
    public static final ConsoleOutput NOTHING = new ConsoleOutput("", "");

    public boolean isEmpty() {
        return standardOutput.isEmpty() && standardError.isEmpty();
    }
}
