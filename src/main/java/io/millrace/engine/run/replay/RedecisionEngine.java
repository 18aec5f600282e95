package io.millrace.engine.run.replay;

import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.PlanCompiler;
import io.millrace.engine.run.redecide.Redecider;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.sandbox.program.CodePrograms;

/** Compiler of versions that are read, and the re-decider that compares inputs in the form of logs. */
public final class RedecisionEngine {
    private final PlanCompiler compiler;
    private final Redecider redecider;

    /** @param inputTruncateBytes size above which logs shorten an input */
    public RedecisionEngine(PieceCatalogue pieces, CodePrograms programs, long inputTruncateBytes) {
        var truncation = new InputTruncation(inputTruncateBytes);
        this.compiler = PlanCompiler.forReading(pieces, programs, truncation);
        this.redecider = new Redecider(truncation);
    }

    PlanCompiler compiler() {
        return compiler;
    }

    Redecider redecider() {
        return redecider;
    }
}
