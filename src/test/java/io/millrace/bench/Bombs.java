package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Code that loops without end and code that fills its memory, each in a project of its own: both are at work at the
 * same time, and each is called again as soon as its call has ended.
 */
final class Bombs implements AutoCloseable {
    private static final List<String> CODE = List.of(
            "export const code = async () => { while (true) {} };",
            "export const code = async () => { const held = []; while (true) held.push(new Array(10000).fill(1)); };");

    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();
    private volatile boolean closed;

    private Bombs() {}

    /** Makes the projects beside the one of the flow. */
    static Bombs start(PublishedFlow quiet) {
        var bombs = new Bombs();
        CODE.stream().map(code -> quiet.inProjectOfItsOwn(script(code))).forEach(bombs::call);
        return bombs;
    }

    private static JsonNode script(String code) {
        return FlowScript.webhook().code("step_1", code).importOperation("Bomb").path("request");
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
