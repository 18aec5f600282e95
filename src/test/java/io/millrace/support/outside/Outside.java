package io.millrace.support.outside;

import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * HTTP system on 127.0.0.1 that records its calls. It responds {@code {"ok":true}} immediately, except to calls to
 * {@code /held}, which wait until the test releases them, and to {@code /broken}, which fail until it is repaired.
 */
public final class Outside implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final List<Received> calls = new CopyOnWriteArrayList<>();
    private final Queue<HttpServerResponse> held = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final HttpServer server;

    /**
     * A received call.
     *
     * @param idempotencyKey null without one
     * @param authorization null without one
     * @param traceparent null without one
     */
    public record Received(String path, String idempotencyKey, String authorization, String traceparent) {}

    private Outside() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    public static Outside start() {
        return new Outside();
    }

    /** A call is recorded after it can be released: a test that waits for it may release it immediately. */
    private void receive(HttpServerRequest request) {
        var call = new Received(
                request.path(),
                request.getHeader("Idempotency-Key"),
                request.getHeader("Authorization"),
                request.getHeader("traceparent"));
        var response = request.response().putHeader("Content-Type", "application/json");
        if (request.path().startsWith("/held")) {
            held.add(response);
            calls.add(call);
            return;
        }
        calls.add(call);
        var framed = request.getParam("framed");
        if (framed != null) {
            response.putHeader("Content-Type", "text/html").end("""
                            <!doctype html><title>A product</title>
                            <h1>A product</h1><iframe src="%s" width="350" height="520"></iframe>
                            """.formatted(framed));
        } else if (request.path().startsWith("/broken") && broken.get()) {
            response.setStatusCode(500).end("{\"message\":\"out of order\"}");
        } else {
            response.end("{\"ok\":true}");
        }
    }

    /** Address of a page that embeds another one in a frame. */
    public String framing(String address) {
        return url("/?framed=" + address);
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.actualPort() + path;
    }

    /** Every call so far, including held ones. */
    public List<Received> calls() {
        return List.copyOf(calls);
    }

    /** Paths of the calls so far. */
    public List<String> paths() {
        return calls.stream().map(Received::path).toList();
    }

    public void awaitCalls(int count) {
        Waiting.until(count + " calls, found " + paths(), () -> calls.size() >= count);
    }

    /** Repairs {@code /broken}. */
    public void repair() {
        broken.set(false);
    }

    /** Breaks {@code /broken} again. */
    public void damage() {
        broken.set(true);
    }

    /** Answers the held calls, and no call that arrives because of these answers; callers may have disconnected. */
    public void release() {
        var released = new ArrayList<HttpServerResponse>();
        for (var response = held.poll(); response != null; response = held.poll()) {
            released.add(response);
        }
        for (var response : released) {
            if (!response.closed()) {
                response.end("{\"ok\":true}");
            }
        }
    }

    @Override
    public void close() {
        release();
        Waiting.await(vertx.close());
    }
}
