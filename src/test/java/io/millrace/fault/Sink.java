package io.millrace.fault;

import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Target of the steps' calls, which no fault affects: records every call to {@code /step/number} in order of arrival,
 * and serves a growing feed. It answers immediately, except poisonous and limited calls.
 */
final class Sink implements AutoCloseable {
    static final String POISON = "poison";
    static final String LIMITED = "limited";

    private static final long LIMITED_MS = 200;

    private final Vertx vertx = Vertx.vertx();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedDeque<Integer> entries = new ConcurrentLinkedDeque<>();
    private final HttpServer server;
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger heldMax = new AtomicInteger();
    private volatile BooleanSupplier poison = () -> false;

    /**
     * Call of a step.
     *
     * @param key idempotency key; the same for every execution of one attempt
     */
    record Call(String step, int number, String key) {}

    private Sink() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    static Sink start() {
        return new Sink();
    }

    private void receive(HttpServerRequest request) {
        var response = request.response().putHeader("Content-Type", "application/json");
        if (request.path().equals("/feed")) {
            var feed = Json.array();
            entries.forEach(feed::add);
            response.end(Json.text(feed));
            return;
        }
        var parts = request.path().split("/", -1);
        calls.add(new Call(parts[1], Integer.parseInt(parts[2]), request.getHeader("Idempotency-Key")));
        if (parts[1].equals(LIMITED)) {
            hold(response);
        } else if (!parts[1].equals(POISON) || !poison.getAsBoolean()) {
            response.end("{\"ok\":true}");
        }
    }

    /** Answers after 200 ms. */
    private void hold(HttpServerResponse response) {
        heldMax.accumulateAndGet(held.incrementAndGet(), Math::max);
        vertx.setTimer(LIMITED_MS, _ -> {
            held.decrementAndGet();
            if (!response.closed()) {
                response.end("{\"ok\":true}");
            }
        });
    }

    /** The largest number of calls to {@code /limited/number} that were held concurrently. */
    int heldMax() {
        return heldMax.get();
    }

    /** Sets the action for calls to {@code /poison/number}; the call is answered when the action returns false. */
    void whenPoisoned(BooleanSupplier action) {
        poison = action;
    }

    /** Address of a step; the number is an expression of the flow. */
    String url(String step, String number) {
        return "http://127.0.0.1:" + server.actualPort() + "/" + step + "/" + number;
    }

    String feedUrl() {
        return "http://127.0.0.1:" + server.actualPort() + "/feed";
    }

    /** Adds the newest entry of the feed. */
    void addEntry(int number) {
        entries.addFirst(number);
    }

    /** Every call so far, in order of arrival. */
    List<Call> calls() {
        return new ArrayList<>(calls);
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
