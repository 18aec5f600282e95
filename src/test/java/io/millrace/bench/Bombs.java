package io.millrace.bench;

import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Code that uses all resources it can get, each in a separate project: all of it executes concurrently, and is called
 * again as soon as a call has ended.
 */
final class Bombs implements AutoCloseable {
    static final List<Bomb> OF_WORKERS = List.of(
            javaScript("a loop", "while (true) {}"),
            javaScript("memory", "const held = []; while (true) held.push(new Array(10000).fill(1));"));

    /** Hostile programs for Node.js; the use of {@code process} selects Node.js for the step. */
    static final List<Bomb> OF_NODE = List.of(
            javaScript("a loop", "process.pid; while (true) {}"),
            javaScript("four gigabytes", "process.pid; return Buffer.alloc(4 * 2 ** 30, 1).length;"),
            javaScript(
                    "processes", "while (true) { try { require('child_process').spawn('sleep', ['60']); } catch {} }"),
            javaScript("output", "while (true) { try { require('fs').writeSync(1, 'x'.repeat(1000)); } catch {} }"),
            javaScript(
                    "files",
                    "const fs = require('fs'); for (let n = 0; ; n++)"
                            + " fs.writeFileSync(process.env.TMPDIR + '/' + n, Buffer.alloc(1 << 20));"));

    static final List<Bomb> OF_PYTHON = List.of(
            python("a loop", "while True: pass"),
            python("four gigabytes", "return len(bytearray(4 << 30))"),
            python("processes", "import os; os.fork()"),
            python(
                    "threads",
                    "import threading, time;"
                            + " [threading.Thread(target=time.sleep, args=(60,)).start() for _ in range(9999)]"),
            python("output", "while True: print('x' * 1000)"));

    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int LOOKS_MAX = 60;

    /** Share of one processor that a quiet server stays below. */
    private static final int QUIET_SHARE = 10;

    /** Code by the resource it uses. */
    record Bomb(String name, FlowScript script) {}

    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();
    private final ServerProcess server;
    private final List<PublishedFlow> flows;
    private volatile boolean closed;

    private Bombs(ServerProcess server, List<PublishedFlow> flows) {
        this.server = server;
        this.flows = flows;
    }

    /** Creates the projects on the server of the flow. */
    static Bombs start(ServerProcess server, PublishedFlow quiet, List<Bomb> kinds) {
        var bombs = new Bombs(
                server,
                kinds.stream()
                        .map(bomb -> quiet.inProjectOfItsOwn(
                                bomb.script().importOperation("Bomb").path("request")))
                        .toList());
        bombs.flows.forEach(bombs::call);
        return bombs;
    }

    private static Bomb javaScript(String name, String body) {
        return new Bomb(name, FlowScript.webhook().code("step_1", "export const code = async () => { " + body + " };"));
    }

    private static Bomb python(String name, String body) {
        return new Bomb(name, FlowScript.webhook().python("step_1", "def code(inputs):\n    " + body + "\n", "{}"));
    }

    private void call(PublishedFlow bomb) {
        var _ = bomb.api()
                .postAsync("/v1/webhooks/" + bomb.flowId() + "/sync", Json.object())
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        broken.compareAndSet(null, failure);
                    } else if (!closed) {
                        ended.incrementAndGet();
                        call(bomb);
                    }
                });
    }

    /** Number of answered calls, including those after their caller's timeout. */
    int ended() {
        return ended.get();
    }

    /**
     * Ends the last calls, which would use their resources for minutes, and waits for the replacements of the killed
     * processes: the next measurement needs a quiet server.
     */
    @Override
    public void close() {
        closed = true;
        flows.forEach(Bombs::cancel);
        awaitQuiet();
        if (broken.get() != null) {
            throw new IllegalStateException("a bomb could not be called", broken.get());
        }
    }

    private void awaitQuiet() {
        var looks = 0;
        while (!isQuiet() && looks < LOOKS_MAX) {
            looks++;
        }
    }

    private boolean isQuiet() {
        var before = ProcessorTime.of(server);
        LockSupport.parkNanos(LOOK.toNanos());
        var since = ProcessorTime.of(server).since(before);
        var used = since.itself().plus(since.others());
        // Negative if a process has ended meanwhile, whose usage is then missing.
        return !used.isNegative() && used.multipliedBy(QUIET_SHARE).compareTo(LOOK) < 0;
    }

    private static void cancel(PublishedFlow bomb) {
        var wanted = Json.object().put("projectId", bomb.projectId());
        var ids = wanted.putArray("flowRunIds");
        bomb.runs().stream()
                .filter(run -> run.path("finishTime").isNull())
                .forEach(run -> ids.add(run.path("id").asText()));
        if (!ids.isEmpty()) {
            bomb.api().post("/v1/flow-runs/cancel", wanted);
        }
    }
}
