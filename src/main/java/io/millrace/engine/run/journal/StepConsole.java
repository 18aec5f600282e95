package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.sandbox.code.ConsoleLog;
import java.util.function.UnaryOperator;

/**
 * What the code of a step wrote to its console, and where it ran. It stands in the step's record beside the output, so that
 * both a test of the step and the log of a run show it; a record without it is as upstream's. Bounded where it is collected;
 * the secrets that the step was given are hidden in it.
 *
 * @param engine which processes ran it; empty for workers, which is where code runs that needs no other
 */
public record StepConsole(String standardOutput, String standardError, String engine) {
    public static final StepConsole EMPTY = new StepConsole("", "", "");

    private static final String ENGINE = "engine";

    private static final String OUTPUT = "standardOutput";
    private static final String ERROR = "standardError";
    private static final String TRUNCATED = "\n…[truncated]";

    /**
     * What was written.
     *
     * @param censor takes the step's secrets out of a text
     */
    public static StepConsole of(ConsoleLog log, String engine, UnaryOperator<String> censor) {
        var output = log.standardOutput() + (log.truncated() ? TRUNCATED : "");
        return new StepConsole(censor.apply(output), censor.apply(log.standardError()), engine);
    }

    /** Adds what there is to a step's record. */
    void writeTo(ObjectNode stepRecord) {
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

    /** What the console takes of the log, by a step's record. */
    static long sizeIn(ObjectNode stepRecord) {
        return JsonSize.of(stepRecord.get(ENGINE))
                + JsonSize.of(stepRecord.get(OUTPUT))
                + JsonSize.of(stepRecord.get(ERROR));
    }
}
