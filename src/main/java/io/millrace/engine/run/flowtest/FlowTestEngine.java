package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.PlanCompiler;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.sandbox.program.CodePrograms;
import io.vertx.core.Future;
import java.util.List;

/** Compiler and runner of tests. Compilation installs nothing. */
public final class FlowTestEngine {
    private final PlanCompiler compiler;
    private final FlowTestRunner runner;

    private FlowTestEngine(PlanCompiler compiler, InputTruncation truncation) {
        this.compiler = compiler;
        this.runner = new FlowTestRunner(truncation);
    }

    /**
     * Creates the engine of a server.
     *
     * @param truncateBytes size beyond which inputs are shortened in logs
     */
    public static FlowTestEngine of(PieceCatalogue pieces, CodePrograms programs, long truncateBytes) {
        var truncation = new InputTruncation(truncateBytes);
        return new FlowTestEngine(PlanCompiler.forReading(pieces, programs, truncation), truncation);
    }

    /** Creates an engine of a process without programs of code steps, which fixtures answer. */
    public static FlowTestEngine withoutCode(PieceCatalogue pieces, long truncateBytes) {
        var truncation = new InputTruncation(truncateBytes);
        return new FlowTestEngine(PlanCompiler.withoutCode(pieces, truncation), truncation);
    }

    Future<CompiledFlow> compile(FlowVersion version, String projectId, PieceScope scope) {
        return compiler.compile(version, projectId, scope);
    }

    FlowTestRunner.Result run(FlowTestCase test, CompiledFlow flow) {
        return runner.run(test, flow);
    }

    /** Report of tests of a version with pieces that every platform has, on the caller's thread. */
    public Future<ObjectNode> report(FlowVersion version, String projectId, List<FlowTestCase> tests) {
        return compile(version, projectId, PieceScope.EVERYBODY)
                .map(flow -> FlowTestRunner.report(
                        flow, tests.stream().map(test -> run(test, flow)).toList()));
    }
}
