package io.millrace.bench;

import static io.millrace.support.FlowScript.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;

/** HTTP service for flows that answers each request after 20 ms, at any concurrency. */
final class SlowService implements AutoCloseable {
    private static final int ANSWER_MS = 20;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final int port;

    SlowService() {
        port = vertx.createHttpServer()
                .requestHandler(request -> vertx.setTimer(
                        ANSWER_MS,
                        _ -> request.response()
                                .putHeader("content-type", "application/json")
                                .end("{\"ok\":true}")))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    /** Flow that calls the service, and has a pure step after the call. */
    JsonNode flow() {
        return webhook()
                .http("step_1", "GET", "http://127.0.0.1:" + port + "/")
                .map("step_2", "{'ok':'{{step_1.output.body.ok}}'}")
                .importOperation("Wait")
                .path("request");
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
