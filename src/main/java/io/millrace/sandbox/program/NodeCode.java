package io.millrace.sandbox.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.Purpose;
import io.millrace.sandbox.node.NodeCall;
import io.millrace.sandbox.node.NodeResult;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.node.Printed;
import io.millrace.sandbox.node.RunningNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Runs programs in processes of Node.js or Python, one call of a project at a time in each. A process may read the programs of its own
 * project and nothing else of the server; it answers no question of theirs.
 */
public final class NodeCode {
    private static final List<String> DETAILS = List.of("status", "responseBody", "responseHeaders");

    /** What a call may print, as the process counts it. */
    private static final int PRINTED_CHARACTERS_MAX = 64 * 1024;

    private static final long CHARACTERS_MAX = 32L << 20;
    private static final Duration UNUSED_KEPT_FOR = Duration.ofHours(6);

    private final Vertx vertx;
    private final NodeVerticle node;
    private final Isolation isolation;
    private final Path root;
    private final Kind kind;

    /** By the text itself, whose own hash the virtual machine keeps: a program is hashed once, not at each of its calls. */
    private final Cache<String, String> hashes = Caches.counted("code.hashes")
            .maximumWeight(CHARACTERS_MAX)
            .weigher((String javaScript, String _) -> javaScript.length() + 1)
            .expireAfterAccess(UNUSED_KEPT_FOR)
            .build();

    /** Which programs the processes run. */
    public enum Kind {
        NODE(Purpose.PIECE, "code.js", "Node.js"),
        PYTHON(Purpose.PYTHON, "code.py", "Python");

        private final Purpose purpose;
        private final String fileName;
        private final String engineName;

        Kind(Purpose purpose, String fileName, String engineName) {
            this.purpose = purpose;
            this.fileName = fileName;
            this.engineName = engineName;
        }
    }

    /**
     * @param node whose processes run programs of the kind
     * @param root where programs lie while they are used; the database has them all
     */
    public NodeCode(Kind kind, Vertx vertx, NodeVerticle node, Isolation isolation, Path root) {
        this.kind = kind;
        this.vertx = vertx;
        this.node = node;
        this.isolation = isolation;
        this.root = root.toAbsolutePath();
    }

    RunningCode run(CodeCall call) {
        var running = new Running();
        running.result = vertx.executeBlocking(() -> file(call), false)
                .compose(file -> {
                    var begun = node.call(
                            nodeCall(call, file),
                            (method, _, _) -> Future.failedFuture(
                                    new IllegalArgumentException("code steps cannot ask for " + method)));
                    running.begun(begun);
                    return begun.result();
                })
                .map(result -> outcome(result, call.limits().outputLimitBytes()));
        return running;
    }

    private NodeCall nodeCall(CodeCall call, Path file) {
        var frame = Json.object().put("op", "code").put("program", file.toString());
        frame.set("inputs", call.inputs());
        return new NodeCall(
                call.key(),
                root.resolve(call.key()),
                file.getParent(),
                NodeCall.Urgency.CODE,
                frame,
                call.limits().timeLimitMs());
    }

    /** Where the program is for processes of its project; written when it is not there. */
    private Path file(CodeCall call) throws IOException {
        var hash = hashes.get(call.program().javaScript(), ProgramKey::hash);
        var project = root.resolve(call.key());
        var file = project.resolve(hash).resolve(kind.fileName);
        if (!Files.exists(file)) {
            isolation.open(kind.purpose, root);
            isolation.open(kind.purpose, project);
            Files.createDirectories(file.getParent());
            var part = file.resolveSibling(UUID.randomUUID() + ".part");
            Files.writeString(part, call.program().javaScript());
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            isolation.takeBack(file.getParent());
        }
        return file;
    }

    private CodeResult outcome(NodeResult result, long outputBytesMax) {
        var log = log(result.printed());
        return switch (result) {
            case NodeResult.Returned returned -> {
                var size = Json.bytes(returned.value()).length;
                yield size <= outputBytesMax
                        ? new CodeResult.Returned(returned.value(), log)
                        : threw(
                                "The output of the code is too large: expected at most " + outputBytesMax
                                        + " bytes of JSON, but found " + size,
                                log);
            }
            case NodeResult.Threw(var error, var _, var _) ->
                new CodeResult.Threw(error.path("message").asText(), details(error), log);
            case NodeResult.TimedOut _ -> new CodeResult.TimedOut(log);
            case NodeResult.MemoryExceeded _ -> new CodeResult.MemoryExceeded(log);
            case NodeResult.Cancelled _ -> new CodeResult.Cancelled(log);
            case NodeResult.Broke(var reason, var _) -> threw(reason.replace("the piece", "the code"), log);
            case NodeResult.Unavailable(var reason) -> threw("The code needs " + kind.engineName + ": " + reason, log);
        };
    }

    private static CodeResult threw(String message, ConsoleLog log) {
        return new CodeResult.Threw(message, Json.object(), log);
    }

    /** The stack names places in the author's own source. */
    private static ObjectNode details(ObjectNode error) {
        var details = Json.object().put("errorName", error.path("name").asText("Error"));
        if (error.path("stack").asText().contains("\n")) {
            details.set("raw", error.get("stack"));
        }
        for (var field : DETAILS) {
            if (error.hasNonNull(field)) {
                details.set(field, error.get(field));
            }
        }
        return details;
    }

    private static ConsoleLog log(Printed printed) {
        var lines = new ArrayList<ConsoleLog.Line>();
        add(lines, ConsoleLog.Level.LOG, printed.standardOutput());
        add(lines, ConsoleLog.Level.ERROR, printed.standardError());
        var length = printed.standardOutput().length() + printed.standardError().length();
        return lines.isEmpty() ? ConsoleLog.empty() : new ConsoleLog(lines, length >= PRINTED_CHARACTERS_MAX);
    }

    private static void add(List<ConsoleLog.Line> lines, ConsoleLog.Level level, String text) {
        if (!text.isEmpty()) {
            lines.add(new ConsoleLog.Line(level, text.stripTrailing()));
        }
    }

    /** A call whose file may still be written. Used on its caller's context. */
    private static final class Running implements RunningCode {
        private Future<CodeResult> result;
        private RunningNode call;
        private boolean cancelled;

        private void begun(RunningNode begun) {
            call = begun;
            if (cancelled) {
                begun.cancel();
            }
        }

        @Override
        public Future<CodeResult> result() {
            return result;
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (call != null) {
                call.cancel();
            }
        }
    }
}
