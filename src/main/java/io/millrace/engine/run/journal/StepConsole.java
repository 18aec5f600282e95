package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.piece.PieceLog;
import io.millrace.sandbox.code.ConsoleLog;
import java.util.function.UnaryOperator;

/**
 * Console output of a step's code, and the engine that executed it. Stored in the step's record next to the output, so
 * that both a test of the step and the log of a run show it; a record without it equals upstream's. Its size is limited
 * during collection; the step's secrets are censored in it.
 *
 * @param engine name of the processes that executed it; empty for workers, which execute code without special needs
 */
public record StepConsole(String standardOutput, String standardError, String engine) {
    public static final StepConsole EMPTY = new StepConsole("", "", "");

    private static final String ENGINE = "engine";

    private static final String OUTPUT = "standardOutput";
    private static final String ERROR = "standardError";
    private static final String TRUNCATED = "\n…[truncated]";

    /**
     * Converts collected console output.
     *
     * @param censor removes the step's secrets from a text
     */
    public static StepConsole of(ConsoleLog log, String engine, UnaryOperator<String> censor) {
        var output = log.standardOutput() + (log.truncated() ? TRUNCATED : "");
        return new StepConsole(censor.apply(output), censor.apply(log.standardError()), engine);
    }

    public static StepConsole of(PieceLog log) {
        return new StepConsole(log.standardOutput(), log.standardError(), "");
    }

    public StepConsole after(String warnings) {
        if (warnings.isEmpty()) {
            return this;
        }
        var errors = standardError.isEmpty() ? warnings : warnings + "\n" + standardError;
        return new StepConsole(standardOutput, errors, engine);
    }

    public void writeTo(ObjectNode stepRecord) {
        if (!engine.isEmpty()) {
            stepRecord.put(ENGINE, engine);
        }
        if (!standardOutput.isEmpty()) {
            stepRecord.put(OUTPUT, standardOutput);
        }
        if (!standardError.isEmpty()) {
            stepRecord.put(ERROR, standardError);
        }
    }

    static long sizeIn(ObjectNode stepRecord) {
        return JsonSize.of(stepRecord.get(ENGINE))
                + JsonSize.of(stepRecord.get(OUTPUT))
                + JsonSize.of(stepRecord.get(ERROR));
    }
}
