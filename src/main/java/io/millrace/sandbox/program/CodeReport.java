package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CompileProblem;
import java.util.List;
import java.util.Optional;

/**
 * Report on a source before it runs.
 *
 * @param engine engine that runs it
 * @param problem compile error
 * @param dependencies required npm packages, as {@code name@range}
 * @param installMs duration of their installation in milliseconds; empty if nothing was installed, or not yet
 */
public record CodeReport(
        Engine engine, Optional<CompileProblem> problem, List<String> dependencies, Optional<Long> installMs) {
    public enum Engine {
        WORKER,
        NODE,
        PYTHON
    }

    public CodeReport {
        dependencies = List.copyOf(dependencies);
    }

    static CodeReport of(Engine engine, CodeProgram program, List<String> dependencies, long installMs) {
        return new CodeReport(
                engine,
                program.compileError().map(CompileProblem::of),
                dependencies,
                Optional.of(installMs).filter(ms -> ms > 0));
    }
}
