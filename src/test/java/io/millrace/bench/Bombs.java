package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Code that takes what it can get, each in a project of its own: all of it is at work at the same time, and each is called
 * again as soon as its call has ended.
 */
final class Bombs implements AutoCloseable {
    /** In workers: a loop without end, and memory. */
    static final List<FlowScript> OF_WORKERS = List.of(
            javaScript("while (true) {}"),
            javaScript("const held = []; while (true) held.push(new Array(10000).fill(1));"));

    /** In Node.js: a loop, four gigabytes, processes, output past the host, files; {@code process} is what makes it Node.js. */
    static final List<FlowScript> OF_NODE = List.of(
            javaScript("process.pid; while (true) {}"),
            javaScript("const held = []; while (true) held.push(Buffer.alloc(256 << 20, 1));"),
            javaScript("while (true) { try { require('child_process').spawn('sleep', ['60']); } catch {} }"),
            javaScript("while (true) { try { require('fs').writeSync(1, 'x'.repeat(1000)); } catch {} }"),
            javaScript("const fs = require('fs'); for (let n = 0; ; n++)"
                    + " fs.writeFileSync(process.env.TMPDIR + '/' + n, Buffer.alloc(1 << 20));"));

    /** In Python: a loop, four gigabytes, processes, threads, output. */
    static final List<FlowScript> OF_PYTHON = List.of(
            python("while True: pass"),
            python("return len(bytearray(4 << 30))"),
            python("import os; os.fork()"),
            python(
                    "import threading, time; [threading.Thread(target=time.sleep, args=(60,)).start() for _ in range(9999)]"),
            python("while True: print('x' * 1000)"));

    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();
    private volatile boolean closed;

    private Bombs() {}

    /** Makes the projects beside the one of the flow. */
    static Bombs start(PublishedFlow quiet, List<FlowScript> scripts) {
        var bombs = new Bombs();
        scripts.stream().map(script -> quiet.inProjectOfItsOwn(request(script))).forEach(bombs::call);
        return bombs;
    }

    private static JsonNode request(FlowScript script) {
        return script.importOperation("Bomb").path("request");
    }

    private static FlowScript javaScript(String body) {
        return FlowScript.webhook().code("step_1", "export const code = async () => { " + body + " };");
    }

    private static FlowScript python(String body) {
        return FlowScript.webhook().python("step_1", "def code(inputs):\n    " + body + "\n", "{}");
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

    /** Calls that have been answered, those included that nobody waited for any longer. */
    int ended() {
        return ended.get();
    }

    /** Leaves the last calls alone: they end with the server. */
    @Override
    public void close() {
        closed = true;
        if (broken.get() != null) {
            throw new IllegalStateException("a bomb could not be called", broken.get());
        }
    }
}
