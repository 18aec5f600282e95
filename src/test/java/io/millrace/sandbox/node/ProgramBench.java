package io.millrace.sandbox.node;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Json;
import io.millrace.base.net.ActingLease;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeLoad;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.RunningNode;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.sandbox.python.PythonEngine;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Programs of code steps in their processes, without a server. */
final class ProgramBench implements AutoCloseable {
    /** Long enough to end no call in a test. */
    static final long LONG_MS = 600_000;

    /** Language of the programs, which selects the engine. */
    enum Language {
        NODE,
        PYTHON
    }

    private final Vertx vertx = Vertx.vertx();
    private final Path directory;
    private final Language language;
    private final NodeVerticle node;
    private int programs;

    ProgramBench(Language language, NodeSettings.Limits limits) {
        this.language = language;
        try {
            directory = Files.createTempDirectory("millrace-programs").toRealPath();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        var engine = language == Language.NODE
                ? new NodeEngine(new ConnectionGateway(vertx, directory.resolve("gateway"), false, ActingLease.OPEN))
                : new PythonEngine(true);
        var settings = new NodeSettings(
                Optional.empty(),
                directory.resolve("processes"),
                64L << 20,
                128L << 20,
                limits,
                () -> new NodeSettings.Network(List.of(), List.of(), List.of()),
                new Isolation(Isolation.Settings.of(directory.resolve("isolation"))),
                BackoffSettings.OFF);
        var missing = engine.missing(settings);
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        node = new NodeVerticle(settings, engine);
        Waiting.await(vertx.deployVerticle(node));
    }

    /** Runs a program of a project whose function has this body. */
    RunningNode start(String project, String body) {
        var source = language == Language.NODE
                ? "exports.code = async () => {\n" + body + "\n};"
                : "import ctypes, mmap, os, sys, tempfile, threading, time\ndef code(inputs):\n    "
                        + body.strip().replace("\n", "\n    ") + "\n";
        var root = directory.resolve("programs").resolve(project);
        var folder = root.resolve("program" + programs++);
        var file = folder.resolve("code");
        try {
            Files.createDirectories(folder);
            Files.writeString(file, source);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        var frame = Json.object().put("op", "code").put("program", file.toString());
        frame.set("inputs", Json.object());
        return node.call(
                new NodeCall(project, root, folder, NodeCall.Urgency.CODE, frame, LONG_MS),
                (method, _, _) -> Future.failedFuture(method));
    }

    NodeResult run(String body) {
        return Waiting.await(start("project", body).result());
    }

    NodeLoad load() {
        return node.load();
    }

    /** Lists the files in the folder of the processes. */
    List<Path> exchanges() {
        var folder = directory.resolve("processes").resolve("tmp");
        try (var exchanges = Files.list(folder)) {
            return exchanges.toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
        FolderTree.discard(directory);
    }
}
