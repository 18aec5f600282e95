package io.millrace.integration.console;

import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** API on 127.0.0.1 that serves its OpenAPI document and answers each other request with its path. */
final class PetstoreServer implements AutoCloseable {
    final List<String> requests = new CopyOnWriteArrayList<>();
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private volatile String document = read();

    PetstoreServer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
    }

    static String read() {
        try {
            return Files.readString(Path.of("src/test/resources/console/petstore.yaml"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    void serve(String text) {
        document = text;
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.actualPort() + path;
    }

    private void answer(HttpServerRequest request) {
        requests.add(request.method() + " " + request.uri());
        if (request.path().equals("/openapi.yaml")) {
            request.response().end(document);
            return;
        }
        request.response()
                .putHeader("Content-Type", "application/json")
                .end(Json.text(Json.object().put("path", request.path()).put("name", "Rex")));
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
