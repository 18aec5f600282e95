package io.millrace.sandbox.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.npm.BadPackage;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Programs in Python: the source itself, after the interpreter has parsed it without an error. */
public final class PythonCode {
    private static final String CHECKS = "python-checks";
    private static final long CHECK_MS_MAX = 20_000;

    private final NodeVerticle python;
    private final Path root;

    /**
     * @param python runs processes of Python
     * @param root folder of programs; a check reads none of them
     */
    public PythonCode(NodeVerticle python, Path root) {
        this.python = python;
        this.root = root.toAbsolutePath();
    }

    /** The program of a source, which may be its compile error. Fails with {@link BadPackage} where there is no Python. */
    Future<CodeProgram> compile(CodeSource source) {
        try {
            if (!CodePrograms.dependencies(source.packageJson()).isEmpty()) {
                return Future.failedFuture(
                        new BadPackage("code in Python cannot use npm packages: expected no dependencies"));
            }
        } catch (JsonProcessingException malformed) {
            return Future.succeededFuture(CodeProgram.broken("packageJson is not valid JSON", List.of()));
        }
        var folder = root.resolve(CHECKS);
        var frame = Json.object().put("op", "check").put("source", source.code());
        var call = new NodeCall(CHECKS, folder, folder, NodeCall.Urgency.CODE, frame, CHECK_MS_MAX);
        return python.call(call, (method, _, _) -> Future.failedFuture(new IllegalArgumentException(method)))
                .result()
                .compose(result -> judged(source, result));
    }

    private static Future<CodeProgram> judged(CodeSource source, NodeResult result) {
        return switch (result) {
            case NodeResult.Returned returned -> Future.succeededFuture(program(source, returned.value()));
            case NodeResult.Unavailable(var reason, var _) -> Future.failedFuture(new BadPackage(reason));
            case NodeResult.Killed _ -> unchecked("its process was killed by another program");
            case NodeResult.Cancelled _ -> unchecked("the lease of this server ended");
            case NodeResult.Threw _, NodeResult.TimedOut _, NodeResult.MemoryExceeded _, NodeResult.Broke _ ->
                Future.succeededFuture(CodeProgram.broken("the interpreter cannot read the code", List.of()));
        };
    }

    private static Future<CodeProgram> unchecked(String reason) {
        return Future.failedFuture(new BadPackage("The code was not checked, because " + reason + "; try again"));
    }

    private static CodeProgram program(CodeSource source, JsonNode problem) {
        if (problem == null || problem.isNull()) {
            return new CodeProgram(CodeProgram.Form.PYTHON, source.code(), Optional.empty(), List.of());
        }
        var message = problem.path("message").asText();
        var line = problem.path("line").asInt();
        return CodeProgram.broken(
                line > 0
                        ? message + " (line " + line + ", column "
                                + problem.path("column").asInt() + ")"
                        : message,
                List.of());
    }
}
