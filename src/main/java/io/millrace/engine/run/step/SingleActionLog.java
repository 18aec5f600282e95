package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.expression.Secrets;
import java.util.ArrayList;
import java.util.List;

/** Log of an action without a flow: console output, and input values that the action did not receive; secrets are censored. */
final class SingleActionLog {
    private final List<Secrets> used = new ArrayList<>();
    private List<String> warnings = List.of();
    private String standardOutput = "";
    private String standardError = "";

    /** Adds secrets to be censored. */
    void uses(Secrets secrets) {
        used.add(secrets);
    }

    void dropped(List<String> messages) {
        warnings = messages;
    }

    void wrote(String output, String errors) {
        standardOutput = output;
        standardError = errors;
    }

    /** The fields of a step's log; empty without a line. */
    ObjectNode toJson() {
        var fields = Json.object();
        new StepConsole(censored(standardOutput), censored(standardError), "")
                .after(censored(String.join("\n", warnings)))
                .writeTo(fields);
        return fields;
    }

    private String censored(String text) {
        return text.isEmpty() || used.isEmpty() ? text : SecretCensor.censor(text, used);
    }

    /** Services and pieces often repeat their input in a message. */
    Throwable censored(Throwable cause) {
        if (!(cause instanceof PieceFailure failure) || used.isEmpty()) {
            return cause;
        }
        var details = Json.trusted(censored(Json.text(failure.details())));
        return PieceFailure.of(
                censored(String.valueOf(failure.getMessage())),
                details instanceof ObjectNode object ? object : Json.object());
    }
}
