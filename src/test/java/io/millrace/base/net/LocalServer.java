package io.millrace.base.net;

import io.millrace.support.MachineSpeed;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** HTTP server on a free port of 127.0.0.1 that records its requests. */
public final class LocalServer {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private LocalServer(Vertx vertx, HttpServerOptions options, Handler<HttpServerRequest> handler) {
        server = result(vertx.createHttpServer(options)
                .requestHandler(request -> {
                    asked.add(request.method() + " " + request.uri());
                    handler.handle(request);
                })
                .listen(0, "127.0.0.1"));
    }

    /** A server that answers with the handler. */
    public static LocalServer start(Vertx vertx, Handler<HttpServerRequest> handler) {
        return new LocalServer(vertx, new HttpServerOptions(), handler);
    }

    /** A server with options, for TLS. */
    public static LocalServer start(Vertx vertx, HttpServerOptions options, Handler<HttpServerRequest> handler) {
        return new LocalServer(vertx, options, handler);
    }

    public int port() {
        return server.actualPort();
    }

    public String url(String target) {
        return "http://127.0.0.1:" + port() + target;
    }

    /** Method and target of every request so far. */
    public List<String> asked() {
        return asked;
    }

    /** The value of a future that must succeed within the deadline. */
    public static <T> T result(Future<T> future) {
        try {
            return future.toCompletionStage()
                    .toCompletableFuture()
                    .get(MachineSpeed.deadline(DEADLINE).toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw new AssertionError("expected a success, found " + failed.getCause(), failed.getCause());
        } catch (Exception late) {
            throw new AssertionError("no result in " + DEADLINE, late);
        }
    }

    /**
     * Returns true if a future succeeds, false if it fails; fails if the future does not complete within the deadline.
     */
    public static boolean succeeds(Future<?> future) {
        return result(future.map(true).otherwise(false));
    }

    /** The failure of a future that must fail within the deadline. */
    public static Throwable failure(Future<?> future) {
        try {
            var value = future.toCompletionStage()
                    .toCompletableFuture()
                    .get(MachineSpeed.deadline(DEADLINE).toSeconds(), TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, found " + value);
        } catch (ExecutionException failed) {
            return failed.getCause();
        } catch (InterruptedException | java.util.concurrent.TimeoutException late) {
            throw new AssertionError("no result in " + DEADLINE, late);
        }
    }
}
