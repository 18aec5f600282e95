package io.millrace.engine.run.plan;

import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.node.BadPackage;
import io.millrace.sandbox.program.CodePrograms;
import io.vertx.core.Future;
import java.util.List;

/**
 * Programs of code steps. A published step has its program since it was published, and a run installs nothing; a draft
 * that is being tried gets its packages now. What cannot be had fails when the step runs, as a source that does not compile.
 */
public record StepPrograms(CodePrograms programs) implements PlanCompiler.CodeSource {
    @Override
    public Future<CodeProgram> program(PieceScope scope, CodeStep step, boolean draft) {
        var platformId = scope.platformId().orElse("");
        return draft
                ? programs.prepare(platformId, step.source())
                        .recover(failure -> failure instanceof BadPackage refused
                                ? Future.succeededFuture(CodeProgram.broken(refused.getMessage(), List.of()))
                                : Future.failedFuture(failure))
                : programs.find(platformId, step.source());
    }
}
