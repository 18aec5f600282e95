package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.Secrets;
import java.util.ArrayList;
import java.util.List;

/**
 * Log of one call of an action or a trigger outside the steps of a run: console output, and a warning for each value that the piece
 * or the flow did not receive. Secrets of the input are censored: a piece may print them, and every reader of runs sees the log.
 * Not for several threads.
 */
public final class PieceLog {
    private final List<Secrets> used = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private String standardOutput = "";
    private String printedErrors = "";

    public void uses(Secrets secrets) {
        used.add(secrets);
    }

    public void warn(List<String> messages) {
        warnings.addAll(messages);
    }

    public void wrote(String output, String errors) {
        standardOutput = output;
        printedErrors = errors;
    }

    public List<String> warnings() {
        return warnings.stream().map(this::censored).toList();
    }

    public boolean isEmpty() {
        return warnings.isEmpty() && standardOutput.isEmpty() && printedErrors.isEmpty();
    }

    public String standardOutput() {
        return censored(standardOutput);
    }

    public String standardError() {
        return censored(joined(String.join("\n", warnings), printedErrors));
    }

    public String errorsBefore(String reason) {
        return joined(standardError(), reason);
    }

    /** The failure without secrets: services and pieces often repeat their input in a message. */
    public Throwable censored(Throwable cause) {
        if (!(cause instanceof PieceFailure failure) || used.isEmpty()) {
            return cause;
        }
        var details = Json.trusted(censored(Json.text(failure.details())));
        return PieceFailure.of(
                censored(String.valueOf(failure.getMessage())),
                details instanceof ObjectNode object ? object : Json.object());
    }

    private String censored(String text) {
        return text.isEmpty() || used.isEmpty() ? text : SecretCensor.censor(text, used);
    }

    private static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + "\n" + second;
    }
}
