package io.millrace.fault;

import io.millrace.base.core.Json;
import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Persistent webhook callers: each sends events one after another to any running server until it is stopped. An event
 * with a key is repeated until it is accepted. An event without a key is sent once: if it gets no 2xx, it may have been
 * accepted without an acknowledgement.
 */
final class EventLoad {
    private static final int CALLERS = 16;
    private static final String NO_ANSWER = "no answer";
    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    /** Delay between the events of a caller after the requested number has been accepted. */
    private static final long AHEAD_PAUSE_NANOS = Duration.ofMillis(500).toNanos();

    private final Map<EventKind, PublishedFlow> flows;
    private final Supplier<List<URI>> servers;
    private volatile int wanted;
    private volatile boolean isLast;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final AtomicInteger next = new AtomicInteger();
    private final Set<Integer> accepted = new ConcurrentSkipListSet<>();
    private final AtomicInteger acceptedCount = new AtomicInteger();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private final List<Thread> callers = new ArrayList<>();
    private final Waits waits = new Waits();
    private final Map<String, Long> longest = new ConcurrentHashMap<>();
    private volatile String harm = "no harm yet";

    /** Histogram of caller latencies. */
    private static final class Waits {
        private static final int MS_MAX = 60_000;

        private final AtomicIntegerArray counts = new AtomicIntegerArray(MS_MAX + 1);

        void record(long waitedMs) {
            counts.incrementAndGet((int) Math.min(waitedMs, MS_MAX));
        }

        int percentile(int percent) {
            var all = 0L;
            for (var ms = 0; ms <= MS_MAX; ms++) {
                all += counts.get(ms);
            }
            var left = (all * percent + 99) / 100;
            for (var ms = 0; ms <= MS_MAX; ms++) {
                left -= counts.get(ms);
                if (left <= 0) {
                    return ms;
                }
            }
            return MS_MAX;
        }
    }

    /** @param servers current base addresses of the servers */
    EventLoad(Map<EventKind, PublishedFlow> flows, Supplier<List<URI>> servers) {
        this.flows = flows;
        this.servers = servers;
    }

    void start() {
        for (var caller = 0; caller < CALLERS; caller++) {
            callers.add(Thread.ofVirtual().start(this::call));
        }
    }

    /** Sends at full rate until this number of events has been accepted, and slowly after that. */
    void want(int events) {
        wanted = events;
    }

    int accepted() {
        return acceptedCount.get();
    }

    /** Stops all callers, waits for them, and returns the accepted events. */
    Set<Integer> finish() throws InterruptedException {
        isLast = true;
        for (var caller : callers) {
            caller.join();
        }
        return accepted;
    }

    /** Sets the kind of fault under which later latencies are counted. */
    void harmed(String kind) {
        harm = kind;
    }

    private void waited(String during, long waitedMs) {
        waits.record(waitedMs);
        longest.merge(during, waitedMs, Math::max);
    }

    /** Latency percentiles of callers, and the longest latency during or after each kind of fault. */
    String patience() {
        return "p50 %d ms, p99 %d ms; the longest, in ms: %s"
                .formatted(waits.percentile(50), waits.percentile(99), new TreeMap<>(longest));
    }

    /** Other responses, with their counts. */
    Map<String, Integer> refusals() {
        return refusals;
    }

    private void call() {
        while (!isLast) {
            if (acceptedCount.get() >= wanted) {
                LockSupport.parkNanos(AHEAD_PAUSE_NANOS);
            }
            var there = servers.get();
            if (there.isEmpty()) {
                LockSupport.parkNanos(PAUSE_NANOS);
                continue;
            }
            deliver(next.getAndIncrement());
        }
    }

    private void deliver(int number) {
        do {
            var there = servers.get();
            if (there.isEmpty()) {
                LockSupport.parkNanos(PAUSE_NANOS);
                continue;
            }
            var began = System.nanoTime();
            var during = harm;
            var answer = send(there.get(number % there.size()), number);
            waited(during, Duration.ofNanos(System.nanoTime() - began).toMillis());
            if (answer.equals("200")) {
                accepted.add(number);
                acceptedCount.incrementAndGet();
                return;
            }
            refusals.merge(answer, 1, Integer::sum);
            LockSupport.parkNanos(PAUSE_NANOS);
        } while (EventKind.isKeyed(number));
    }

    private String send(URI server, int number) {
        var kind = EventKind.withCode(number);
        var address = server + "/v1/webhooks/" + flows.get(kind).flowId() + kind.variant();
        var body = Json.text(Json.object().put("sequence", number));
        var request = HttpRequest.newBuilder(URI.create(address))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (EventKind.isKeyed(number)) {
            request.header("Idempotency-Key", "event-" + number);
        }
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            var isOfAnother = answer.statusCode() == 200
                    && !kind.variant().isEmpty()
                    && Json.trusted(answer.body()).path("sequence").asInt(-1) != number;
            return isOfAnother ? "200 with the answer of another" : Integer.toString(answer.statusCode());
        } catch (IOException none) {
            return NO_ANSWER;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return NO_ANSWER;
        }
    }
}
