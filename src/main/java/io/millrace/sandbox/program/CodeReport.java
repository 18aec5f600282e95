package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeProgram;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Report on a source before it runs.
 *
 * @param engine engine that runs it
 * @param problem compile error
 * @param dependencies required npm packages, as {@code name@range}
 * @param installMs duration of their installation in milliseconds; empty if nothing was installed, or not yet
 */
public record CodeReport(
        Engine engine, Optional<Problem> problem, List<String> dependencies, Optional<Long> installMs) {
    private static final Pattern PLACE = Pattern.compile("(?s)(.*) \\(line (\\d{1,9}), column (\\d{1,9})\\)");

    /** Kind of the processes that run it. */
    public enum Engine {
        WORKER,
        NODE,
        PYTHON
    }

    /** A message of the compiler; line and column are 0 if it has no position. The first line is 1, the first column 0. */
    public record Problem(String message, int line, int column) {
        static Problem of(String compileError) {
            var place = PLACE.matcher(compileError);
            return place.matches()
                    ? new Problem(place.group(1), Integer.parseInt(place.group(2)), Integer.parseInt(place.group(3)))
                    : new Problem(compileError, 0, 0);
        }
    }

    public CodeReport {
        dependencies = List.copyOf(dependencies);
    }

    static CodeReport of(Engine engine, CodeProgram program, List<String> dependencies, long installMs) {
        return new CodeReport(
                engine,
                program.compileError().map(Problem::of),
                dependencies,
                Optional.of(installMs).filter(ms -> ms > 0));
    }
}
