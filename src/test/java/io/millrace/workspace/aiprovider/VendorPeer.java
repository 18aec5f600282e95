package io.millrace.workspace.aiprovider;

import io.millrace.support.Waiting;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Model vendors on 127.0.0.1, each under its host name. A request without a response set by the test is answered with 404. */
final class VendorPeer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final Map<String, Said> said = new ConcurrentHashMap<>();
    private final HttpServer server;

    /** Received requests, oldest first. */
    final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** @param target host, path and query */
    record Asked(String target, MultiMap headers, Buffer body) {}

    private record Said(int status, String body) {}

    VendorPeer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var target = request.uri().substring(1);
            asked.add(new Asked(target, request.headers(), body));
            var answer = said.getOrDefault(target, new Said(404, "{\"error\":\"not found\"}"));
            request.response().setStatusCode(answer.status()).end(answer.body());
        });
    }

    /** Sets the response to a host, path and query; single quotes are replaced by double quotes. */
    void say(String target, int status, String body) {
        said.put(target, new Said(status, body.replace('\'', '"')));
    }

    String originOf(String host) {
        return "http://127.0.0.1:" + server.actualPort() + "/" + host;
    }

    /** Targets of the received requests. */
    List<String> targets() {
        return asked.stream().map(Asked::target).toList();
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
