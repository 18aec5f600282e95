package io.millrace.sandbox.code.compiler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.isolation.Isolation;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles sources of CODE steps and caches recent programs by source.
 *
 * <p>A source that does not compile gives a program too (contract pieces 12.1). On hosts where esbuild cannot run, plain JavaScript
 * still runs, as a script or as an ECMAScript module.
 */
public final class CodeCompiler {
    public static final int SOURCE_CHARACTERS_MAX = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(CodeCompiler.class);
    private static final String NOT_ON_THIS_HOST = "code for Node.js cannot be compiled on this host: ";
    private static final int COMPILERS = 2;
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Pattern MODULE_SYNTAX = Pattern.compile("(?m)^[ \\t]*+(?:export|import)\\b");

    private final WorkerExecutor executor;
    private final Transpiler transpiler;
    private final ProgramCache cache = new ProgramCache();

    /** @param directory of the unpacked transpiler */
    public CodeCompiler(Vertx vertx, Path directory, Isolation isolation) {
        executor = WorkerThreads.open(vertx, "code-compiler", COMPILERS, LONGEST);
        transpiler = new Transpiler(directory, isolation);
    }

    /** Compiles the source of a step; completes on the caller's context. */
    public Future<CodeProgram> compile(String sourceCode, String packageJson) {
        List<String> dependencies;
        try {
            dependencies = dependencies(packageJson);
        } catch (JsonProcessingException malformed) {
            return Future.succeededFuture(CodeProgram.broken("packageJson is not valid JSON", List.of()));
        }
        if (sourceCode.length() > SOURCE_CHARACTERS_MAX) {
            return Future.succeededFuture(CodeProgram.broken(
                    "the source is longer than " + SOURCE_CHARACTERS_MAX + " characters", dependencies));
        }
        ProgramCache.Key key = new ProgramCache.Key(sourceCode, dependencies);
        Optional<CodeProgram> known = cache.find(key);
        if (known.isPresent()) {
            return Future.succeededFuture(known.get());
        }
        return executor.executeBlocking(() -> compiled(key), false).onSuccess(program -> cache.put(key, program));
    }

    /** Completes with true if a source uses features of Node.js; with false for one that does not compile or is too long. */
    public Future<Boolean> needsNode(String sourceCode) {
        return sourceCode.length() > SOURCE_CHARACTERS_MAX
                ? Future.succeededFuture(false)
                : executor.executeBlocking(
                        () -> transpiler.mark(sourceCode) instanceof Transpiler.Outcome.Transpiled(String marked)
                                && NodeNeeds.areIn(marked),
                        false);
    }

    public Future<CodeProgram> forNode(String sourceCode) {
        return made(sourceCode, List.of(), () -> transpiler.forNode(sourceCode));
    }

    /**
     * Makes one file for Node.js with packages inside.
     *
     * @param npmDependencies packages in the folder, as {@code name@range}: the source may import these by their names
     * @param folder holds the packages in {@code node_modules}
     * @param outside packages that stay out of the file
     */
    public Future<CodeProgram> bundle(
            String sourceCode, List<String> npmDependencies, Path folder, Collection<String> outside) {
        List<String> names = npmDependencies.stream().map(CodeCompiler::nameOf).toList();
        return made(sourceCode, npmDependencies, () -> transpiler.bundle(sourceCode, folder, names, outside));
    }

    /** Name of a dependency. It may begin with the character that ends it. */
    private static String nameOf(String dependency) {
        int end = dependency.indexOf('@', 1);
        return end < 0 ? dependency : dependency.substring(0, end);
    }

    private Future<CodeProgram> made(
            String sourceCode, List<String> npmDependencies, Callable<Transpiler.Outcome> compilation) {
        if (sourceCode.length() > SOURCE_CHARACTERS_MAX) {
            return Future.succeededFuture(CodeProgram.broken(
                    "the source is longer than " + SOURCE_CHARACTERS_MAX + " characters", npmDependencies));
        }
        return executor.executeBlocking(
                () -> switch (compilation.call()) {
                    case Transpiler.Outcome.Transpiled(String javaScript) ->
                        new CodeProgram(CodeProgram.Form.NODE, javaScript, Optional.empty(), npmDependencies);
                    case Transpiler.Outcome.Refused(String message) -> CodeProgram.broken(message, npmDependencies);
                    case Transpiler.Outcome.Unavailable(String reason) ->
                        CodeProgram.broken(NOT_ON_THIS_HOST + reason, npmDependencies);
                },
                false);
    }

    /** True if another attempt or another host would compile the same program; others are not worth storing. */
    public static boolean isLasting(CodeProgram program) {
        return program.form() != CodeProgram.Form.MODULE
                && program.compileError()
                        .filter(error -> error.startsWith(NOT_ON_THIS_HOST) || error.equals(Transpiler.TOO_COMPLEX))
                        .isEmpty();
    }

    /** True if a compile error reports that the compiler ran out of memory, time or disk. */
    public static boolean isTooComplex(String compileError) {
        return compileError.equals(Transpiler.TOO_COMPLEX);
    }

    public Future<Void> close() {
        return executor.close();
    }

    private CodeProgram compiled(ProgramCache.Key key) throws IOException, InterruptedException {
        return switch (transpiler.transpile(key.sourceCode())) {
            case Transpiler.Outcome.Transpiled(String javaScript) ->
                CodeProgram.compiled(javaScript, key.dependencies());
            case Transpiler.Outcome.Refused(String message) -> CodeProgram.broken(message, key.dependencies());
            case Transpiler.Outcome.Unavailable(String reason) -> untranspiled(key, reason);
        };
    }

    private static CodeProgram untranspiled(ProgramCache.Key key, String reason) {
        LOG.warn("TypeScript is not available, code steps are read as plain JavaScript: {}", reason);
        boolean module = MODULE_SYNTAX.matcher(key.sourceCode()).find();
        return new CodeProgram(
                module ? CodeProgram.Form.MODULE : CodeProgram.Form.COMMON_JS,
                key.sourceCode(),
                Optional.empty(),
                key.dependencies());
    }

    private static List<String> dependencies(String packageJson) throws JsonProcessingException {
        if (packageJson == null || packageJson.isBlank()) {
            return List.of();
        }
        List<String> dependencies = new ArrayList<>();
        for (var dependency : Json.parse(packageJson).path("dependencies").properties()) {
            JsonNode range = dependency.getValue();
            dependencies.add(dependency.getKey() + "@" + range.asText());
        }
        return dependencies;
    }
}
