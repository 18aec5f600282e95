package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.piece.SecretCensor;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.expression.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Texts that an attempt of a step leaves in the log, without the secrets that were loaded for it. */
final class StepLog {
    private final List<Secrets> secrets = new ArrayList<>(0);
    private StepConsole console = StepConsole.EMPTY;
    private String warnings = "";

    void censor(Secrets loaded) {
        secrets.add(loaded);
    }

    String censored(String text) {
        return secrets.isEmpty() ? text : SecretCensor.censor(text, secrets);
    }

    JsonNode censored(JsonNode value) {
        return SecretCensor.censored(value, secrets, Set.of());
    }

    void ran(String engine, ConsoleLog log) {
        console = StepConsole.of(log, engine, this::censored);
    }

    void wrote(String standardOutput, String standardError) {
        console = new StepConsole(censored(standardOutput), censored(standardError), "");
    }

    void dropped(List<String> messages) {
        if (!messages.isEmpty()) {
            warnings = censored(String.join("\n", messages));
        }
    }

    StepConsole console() {
        return console.after(warnings);
    }
}
