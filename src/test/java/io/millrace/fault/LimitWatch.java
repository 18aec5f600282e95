package io.millrace.fault;

import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Bursts of events for a flow whose project has a low concurrency limit. Each run makes a call that the sink holds, so
 * concurrently held calls count concurrent runs independently of the server.
 */
final class LimitWatch {
    /** Concurrency limit of the project. */
    static final int LIMIT = 3;

    private static final int FIRST_NUMBER = 3_000_000;
    private static final int BURST = 12;
    private static final long BURST_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private final PublishedFlow flow;
    private final Supplier<List<URI>> servers;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Set<Integer> accepted = new ConcurrentSkipListSet<>();
    private volatile boolean isLast;
    private final Thread caller = Thread.ofVirtual().unstarted(this::call);

    private LimitWatch(PublishedFlow flow, Supplier<List<URI>> servers) {
        this.flow = flow;
        this.servers = servers;
    }

    /** Publishes the flow in a new project, and sets the limit of that project. */
    static LimitWatch of(PublishedFlow other, Sink sink, Supplier<List<URI>> servers) {
        var script = FlowScript.webhook().http("step_1", "POST", sink.url(Sink.LIMITED, EventKind.NUMBER));
        var flow = other.inProjectOfItsOwn(script.importOperation("LIMITED").path("request"));
        var set = flow.api()
                .post("/v1/projects/" + flow.projectId(), Json.object().put("maxConcurrentJobs", LIMIT));
        if (set.status() != 200) {
            throw new IllegalStateException("expected a limited project, found " + set);
        }
        return new LimitWatch(flow, servers);
    }

    void start() {
        caller.start();
    }

    /** Stops sending bursts, and waits until the current one is accepted. */
    void finish() throws InterruptedException {
        isLast = true;
        caller.join();
    }

    PublishedFlow flow() {
        return flow;
    }

    /** Numbers of the events that were answered with a 2xx. */
    Set<Integer> accepted() {
        return accepted;
    }

    private void call() {
        for (var next = FIRST_NUMBER; !isLast; next += BURST) {
            for (var number = next; number < next + BURST; number++) {
                deliver(number);
            }
            LockSupport.parkNanos(BURST_PAUSE_NANOS);
        }
    }

    /** Repeated under its key until it is accepted. */
    private void deliver(int number) {
        for (var attempt = 0; !send(number, attempt); attempt++) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        accepted.add(number);
    }

    private boolean send(int number, int attempt) {
        var there = servers.get();
        if (there.isEmpty()) {
            return false;
        }
        var server = there.get((number + attempt) % there.size());
        var request = HttpRequest.newBuilder(URI.create(server + "/v1/webhooks/" + flow.flowId()))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "event-" + number)
                .POST(HttpRequest.BodyPublishers.ofString(
                        Json.text(Json.object().put("sequence", number))))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException none) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
