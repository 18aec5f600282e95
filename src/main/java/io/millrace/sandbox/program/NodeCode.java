package io.millrace.sandbox.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.OutputFile;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.node.call.ConsoleOutput;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.RunningNode;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Runs programs in processes of Node.js or Python, one call of a project at a time in each. A process may read the programs of its
 * own project and no other files of the server; its questions are not answered.
 */
public final class NodeCode {
    private static final List<String> DETAILS = List.of("status", "responseBody", "responseHeaders");

    /** Position in the author's source; a package may contain a file of the same name. */
    private static final Pattern OWN_POSITION =
            Pattern.compile("(?m)^\\s+at (?:[^\\r\\n]* \\()?code\\.(?:ts|py):(?<line>\\d{1,9})");

    /** Limit of printed characters of a call, as the process counts them. */
    private static final int PRINTED_CHARACTERS_MAX = 64 * 1024;

    private final NodeVerticle node;
    private final Kind kind;
    private final ProgramFiles files;
    private final int outputFilesMax;

    public enum Kind {
        NODE("Node.js"),
        PYTHON("Python");

        private final String engineName;

        Kind(String engineName) {
            this.engineName = engineName;
        }
    }

    /**
     * @param node whose processes run programs of the kind
     * @param files storage of programs of the kind
     * @param outputFilesMax files in the output of one call
     */
    public NodeCode(Kind kind, NodeVerticle node, ProgramFiles files, int outputFilesMax) {
        this.kind = kind;
        this.node = node;
        this.files = files;
        this.outputFilesMax = outputFilesMax;
    }

    RunningCode run(CodeCall call) {
        var running = new Running();
        running.result = files.of(call)
                .compose(file -> {
                    var begun = node.call(
                            nodeCall(call, file),
                            (method, _, _) -> Future.failedFuture(
                                    new IllegalArgumentException("code steps cannot ask for " + method)));
                    running.begun(begun);
                    return begun.result();
                })
                .map(result -> outcome(result, call));
        return running;
    }

    private NodeCall nodeCall(CodeCall call, Path file) {
        var frame = Json.object().put("op", "code").put("program", file.toString());
        frame.set("inputs", call.inputs());
        return new NodeCall(
                call.key(),
                call.key(),
                new NodeCall.CodeFolders(files.folderOf(call.key()), file.getParent()),
                NodeCall.Urgency.CODE,
                frame,
                call.limits().timeLimitMs(),
                call.program().nativePackages().isPresent(),
                call.fence());
    }

    private CodeResult outcome(NodeResult result, CodeCall call) {
        var outputBytesMax = call.limits().outputLimitBytes();
        var log = log(result.printed());
        return switch (result) {
            case NodeResult.Returned returned -> returned(returned, log, outputBytesMax);
            case NodeResult.Threw(var error, var _, var _) ->
                new CodeResult.Threw(
                        NativeHint.of(error.path("message").asText(), call.program()), details(error), log);
            case NodeResult.TimedOut _ -> new CodeResult.TimedOut(log);
            case NodeResult.MemoryExceeded _ -> new CodeResult.MemoryExceeded(log);
            case NodeResult.Killed _ -> new CodeResult.Killed(log);
            case NodeResult.Cancelled _ -> new CodeResult.Cancelled(log);
            case NodeResult.Broke(var reason, var _) -> threw(reason.replace("the piece", "the code"), log);
            case NodeResult.Unavailable(var reason, var isLasting) ->
                threw(
                        isLasting
                                ? "The code needs " + kind.engineName + ": " + reason
                                : reason.replace("the piece", "the code"),
                        log);
        };
    }

    private CodeResult returned(NodeResult.Returned returned, ConsoleLog log, long outputBytesMax) {
        var size = Json.bytes(returned.value()).length;
        if (size > outputBytesMax) {
            return threw(
                    "The output of the code is too large: expected at most " + outputBytesMax
                            + " bytes of JSON, but found " + size,
                    log);
        }
        try {
            return new CodeResult.Returned(
                    returned.value(), log, OutputFile.read(returned.hooks().path("files"), outputFilesMax));
        } catch (IllegalArgumentException malformed) {
            return threw("The output of the code cannot be used: " + malformed.getMessage(), log);
        }
    }

    private static CodeResult threw(String message, ConsoleLog log) {
        return new CodeResult.Threw(message, Json.object(), log);
    }

    /** Details of an error. Its stack has positions in the author's own source. */
    private static ObjectNode details(ObjectNode error) {
        var details = Json.object().put("errorName", error.path("name").asText("Error"));
        var stack = error.path("stack").asText();
        if (stack.contains("\n")) {
            details.set("raw", error.get("stack"));
            line(stack, error.path("message").asText()).ifPresent(line -> details.put("line", line));
        }
        for (var field : DETAILS) {
            if (error.hasNonNull(field)) {
                details.set(field, error.get(field));
            }
        }
        return details;
    }

    /** Innermost line of the author's source. The message before the positions may contain lines that look like positions. */
    private static OptionalInt line(String stack, String message) {
        var start = stack.indexOf(message);
        var position = OWN_POSITION.matcher(start < 0 ? stack : stack.substring(start + message.length()));
        return position.find() ? OptionalInt.of(Integer.parseInt(position.group("line"))) : OptionalInt.empty();
    }

    private static ConsoleLog log(ConsoleOutput printed) {
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
