package io.millrace.engine.trigger;

import java.util.ArrayList;
import java.util.List;

/**
 * Log of one call of a hook: console output of the piece, and a warning for each value that the trigger or the flow did not
 * receive. Not for several threads.
 */
public final class HookLog {
    private final List<String> warnings = new ArrayList<>();
    private String standardOutput = "";
    private String printedErrors = "";

    void dropped(List<String> messages) {
        warnings.addAll(messages);
    }

    void wrote(String output, String errors, List<String> messages) {
        standardOutput = output;
        printedErrors = errors;
        warnings.addAll(messages);
    }

    /** Lines for the author about values; empty when none was lost. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    public boolean isEmpty() {
        return warnings.isEmpty() && standardOutput.isEmpty() && printedErrors.isEmpty();
    }

    public String standardOutput() {
        return standardOutput;
    }

    /** Warnings, then the error output of the piece. */
    public String standardError() {
        return joined(String.join("\n", warnings), printedErrors);
    }

    /** The error output, with the reason of a failure at its end. */
    String errorsBefore(String reason) {
        return joined(standardError(), reason);
    }

    private static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + "\n" + second;
    }
}
