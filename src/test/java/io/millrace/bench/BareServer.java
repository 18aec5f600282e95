package io.millrace.bench;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Baseline of the benchmark: a Vert.x server that reads the body and responds with the same JSON, on every event loop.
 */
final class BareServer extends VerticleBase {
    /** A negative port selects a free one, the same for all servers with this number. */
    private static final int ONE_FREE_PORT = -1;

    private final Buffer answer;
    private HttpServer server;

    private BareServer(Buffer answer) {
        this.answer = answer;
    }

    /** Expects the response text. */
    public static void main(String[] arguments) {
        var answer = Buffer.buffer(arguments[0]);
        var vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var first = new BareServer(answer);
        var ready = vertx.deployVerticle(first);
        for (var other = 1; other < Runtime.getRuntime().availableProcessors(); other++) {
            ready = ready.compose(_ -> vertx.deployVerticle(new BareServer(answer)));
        }
        ready.onSuccess(_ ->
                        System.out.println("Bare server is listening on http://localhost:" + first.server.actualPort()))
                .onFailure(failure -> {
                    System.err.println("The bare server cannot start: " + failure.getMessage());
                    System.exit(1);
                });
    }

    @Override
    public Future<?> start() {
        server = vertx.createHttpServer().requestHandler(this::answer);
        return server.listen(ONE_FREE_PORT, "127.0.0.1");
    }

    private void answer(HttpServerRequest request) {
        request.body()
                .onSuccess(_ -> request.response()
                        .putHeader("content-type", "application/json; charset=utf-8")
                        .end(answer))
                .onFailure(_ -> request.connection().close());
    }
}
