package io.millrace.engine.run.flowtest;

import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledVersion;
import io.millrace.engine.run.plan.PlanCompiler;
import io.millrace.piece.builtin.http.HttpPiece;
import io.millrace.support.FlowScript;
import java.util.List;

/** Compiled flows for tests of this package. The HTTP piece has no client: a request that is sent fails. */
final class TestedFlow {
    private static final PlanCompiler COMPILER = CompiledVersion.compiler(List.of(new HttpPiece(null)));

    private TestedFlow() {}

    static CompiledFlow of(FlowScript script) {
        return CompiledVersion.of(script, COMPILER).flow();
    }
}
