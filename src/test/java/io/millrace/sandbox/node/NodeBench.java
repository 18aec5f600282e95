package io.millrace.sandbox.node;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Json;
import io.millrace.base.net.ActingLease;
import io.millrace.base.net.Fence;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.node.call.NodeBinary;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeLoad;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.ReverseFailure;
import io.millrace.sandbox.node.call.RunningNode;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Processes with the piece of {@code src/test/resources/pieces/probe}, and a handler for its requests. */
final class NodeBench implements AutoCloseable {
    private static final Path PROBE = Path.of("src/test/resources/pieces/probe").toAbsolutePath();
    private static final NodeSettings.Network NETWORK =
            new NodeSettings.Network(List.of("127.0.0.0/8", "10.0.0.0/8", "::1/128"), List.of(), List.of());

    private final Vertx vertx = Vertx.vertx();
    private final Path directory;
    private final NodeVerticle node;
    private final List<String> questions = new CopyOnWriteArrayList<>();

    NodeBench(long heapBytes, int processes) {
        this(Optional.empty(), heapBytes, 256L << 20, processes);
    }

    NodeBench(Optional<Path> executable, long heapBytes, long keptBytes, int processes) {
        this(executable, heapBytes, keptBytes, limits(processes, processes), Path.of("/proc/vmstat"), NETWORK);
    }

    /** One process with a network. */
    NodeBench(NodeSettings.Network network) {
        this(Optional.ofNullable(System.getenv("NODE_UNDER_TEST")).map(Path::of), network);
    }

    private NodeBench(Optional<Path> executable, NodeSettings.Network network) {
        this(executable, 64L << 20, 256L << 20, limits(1, 1), Path.of("/proc/vmstat"), network);
    }

    /** One process with a network, and a lease of the server that makes its connections. */
    NodeBench(NodeSettings.Network network, ActingLease lease) {
        this(Optional.empty(), 64L << 20, 256L << 20, limits(1, 1), Path.of("/proc/vmstat"), network, lease);
    }

    /** @param counters the kernel's counts of killed processes */
    NodeBench(Path counters) {
        this(Optional.empty(), 64L << 20, 256L << 20, limits(1, 1), counters, NETWORK);
    }

    NodeBench(NodeSettings.Limits limits) {
        this(Optional.empty(), 64L << 20, 256L << 20, limits, Path.of("/proc/vmstat"), NETWORK);
    }

    /** Limits of processes for the foreground, and of all. */
    static NodeSettings.Limits limits(int usual, int ceiling) {
        return new NodeSettings.Limits(usual, ceiling, 16L << 20, 16L << 20, 256, 20, 128);
    }

    private NodeBench(
            Optional<Path> executable,
            long heapBytes,
            long keptBytes,
            NodeSettings.Limits limits,
            Path counters,
            NodeSettings.Network network) {
        this(executable, heapBytes, keptBytes, limits, counters, network, ActingLease.OPEN);
    }

    private NodeBench(
            Optional<Path> executable,
            long heapBytes,
            long keptBytes,
            NodeSettings.Limits limits,
            Path counters,
            NodeSettings.Network network,
            ActingLease lease) {
        assumeTrue(
                NodeBinary.find(Optional.empty(), System.getenv("PATH")) instanceof NodeBinary.Search.Match,
                "Node.js 20 or newer is not on the PATH");
        try {
            directory = Files.createTempDirectory("millrace-node").toRealPath();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        var settings = new NodeSettings(
                executable,
                directory,
                heapBytes,
                keptBytes,
                limits,
                () -> network,
                isolation(executable.isEmpty() || !network.equals(NETWORK), counters),
                BackoffSettings.OFF);
        node = new NodeVerticle(settings, new ConnectionGateway(vertx, directory.resolve("gateway"), false, lease));
        Waiting.await(vertx.deployVerticle(node));
    }

    /** A script in place of Node.js needs access that no piece has; it runs without isolation. */
    private Isolation isolation(boolean isWanted, Path counters) {
        return new Isolation(
                Isolation.Settings.of(isWanted ? directory.resolve("isolation") : Path.of("/dev/null")), counters);
    }

    NodeResult action(String action) {
        return action(action, Json.object());
    }

    NodeResult action(String action, ObjectNode props) {
        return await(start(action, props, 20_000));
    }

    RunningNode start(String action, ObjectNode props, long timeLimitMs) {
        return start("acme", action, props, timeLimitMs);
    }

    /** Calls an action for a project. */
    RunningNode start(String project, String action, ObjectNode props, long timeLimitMs) {
        return call(project, NodeCall.Urgency.RUN, frame(action, props), timeLimitMs);
    }

    /** Calls an action with a permission to send. */
    NodeResult action(String action, ObjectNode props, Fence fence) {
        var call = new NodeCall(
                "acme",
                "acme",
                new NodeCall.CodeFolders(PROBE.getParent(), PROBE),
                NodeCall.Urgency.RUN,
                frame(action, props),
                20_000,
                false,
                fence);
        return await(node.call(call, this::answer));
    }

    private static ObjectNode frame(String action, ObjectNode props) {
        var frame = frame("action")
                .put("action", action)
                .put("executionType", "BEGIN")
                .put("stepName", "step_1");
        frame.set("props", props);
        return frame;
    }

    RunningNode call(NodeCall.Urgency urgency, ObjectNode frame, long timeLimitMs) {
        return call("acme", urgency, frame, timeLimitMs);
    }

    RunningNode call(String project, NodeCall.Urgency urgency, ObjectNode frame, long timeLimitMs) {
        return node.call(
                new NodeCall(
                        "acme",
                        project,
                        new NodeCall.CodeFolders(PROBE.getParent(), PROBE),
                        urgency,
                        frame,
                        timeLimitMs,
                        false,
                        Fence.OPEN),
                this::answer);
    }

    static NodeResult await(RunningNode running) {
        return Waiting.await(running.result());
    }

    /** A frame of this operation, with a runtime. */
    static ObjectNode frame(String operation) {
        var frame = Json.object().put("op", operation);
        frame.putObject("piece")
                .put("name", "@acme/piece-probe")
                .put("version", "1.2.3")
                .put("path", PROBE.toString());
        frame.putObject("runtime")
                .put("publicUrl", "http://localhost/api/")
                .put("flowRunId", "r1")
                .put("flowId", "f1");
        return frame;
    }

    /** Requests of pieces, as method and parameters. */
    List<String> questions() {
        return questions;
    }

    private Future<JsonNode> answer(String method, ObjectNode params, Path exchange) {
        questions.add(method + " " + Json.text(params));
        if (params.path("key").asText().length() > 128) {
            return Future.failedFuture(new ReverseFailure("StorageInvalidKeyError", "the key is too long", false));
        }
        return switch (method) {
            case "store.get" -> Future.succeededFuture(Json.mapper().valueToTree(41));
            case "files.write" -> Future.succeededFuture(Json.mapper().valueToTree(sizeOf(params, exchange)));
            case "run.createWaitpoint" ->
                Future.succeededFuture(Json.object().put("id", "w1").put("resumeUrl", "http://localhost/api/w1"));
            default -> Future.succeededFuture(null);
        };
    }

    private static long sizeOf(ObjectNode params, Path exchange) {
        try {
            return params.has("path")
                    ? Files.size(exchange.resolve(params.path("path").asText()))
                    : params.path("base64").asText().length();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Current load of the processes. */
    NodeLoad load() {
        return node.load();
    }

    /** Numbers of the processes that run the host. */
    List<Long> processes() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains(directory.toString()))
                .map(ProcessHandle::pid)
                .toList();
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
        FolderTree.discard(directory);
    }
}
