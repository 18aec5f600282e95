package io.millrace.engine.run.plan;

import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.support.FlowScript;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A flow version for tests of the engine without a server: its steps, and its plan. Code steps are executable if they hold modules. */
public record CompiledVersion(FlowVersion version, CompiledFlow flow) {
    private static final Instant NOW = Instant.parse("2026-01-05T10:20:30Z");

    private static final PlanCompiler COMPILER = compiler(List.of());

    /** Takes the sources of code steps for modules that are compiled already. */
    private static final PlanCompiler CODE_COMPILER = new PlanCompiler(
            builtins(List.of()),
            (_, step, _) -> Future.succeededFuture(
                    new CodeProgram(CodeProgram.Form.COMMON_JS, step.source().code(), Optional.empty(), List.of())),
            new InputTruncation(Long.MAX_VALUE));

    /** A version whose code steps hold compiled modules. */
    public static CompiledVersion withModules(FlowScript script) {
        return of(script, CODE_COMPILER);
    }

    public static CompiledVersion of(FlowScript script) {
        return of(script, COMPILER);
    }

    /** The compiler of these tests with additional pieces. */
    public static PlanCompiler compiler(List<Piece> more) {
        return PlanCompiler.withoutCode(builtins(more), new InputTruncation(Long.MAX_VALUE));
    }

    private static PieceCatalogue builtins(List<Piece> more) {
        var pieces =
                new ArrayList<Piece>(Builtins.all(InstantSource.fixed(NOW), RandomGenerator.of("L64X128MixRandom")));
        pieces.addAll(more);
        return new PieceCatalogue(pieces);
    }

    public static CompiledVersion of(FlowScript script, PlanCompiler compiler) {
        var operation = (FlowOperation.VersionEdit) FlowOperation.parse(script.importOperation("Mill"));
        var empty = FlowVersion.empty("version00000000000001", "flow00000000000000001", "My flow", NOW);
        var version = FlowEditor.apply(empty, operation, new FlowEditor.Context(NOW, "user0000000000000user"));
        var flow = Waiting.await(compiler.compile(version, "project00000000000001", PieceScope.EVERYBODY));
        return new CompiledVersion(version, flow);
    }
}
