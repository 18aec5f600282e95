package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** API on 127.0.0.1 that responds to each request with its content; some paths respond in special ways. */
final class EchoServer implements AutoCloseable {
    private static final int PAGES = 3;

    final List<ObjectNode> received = new CopyOnWriteArrayList<>();
    final Map<String, String> documents = new ConcurrentHashMap<>();
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;

    EchoServer() {
        server = Waiting.await(vertx.createHttpServer()
                .requestHandler(request -> request.bodyHandler(body -> answer(request, body)))
                .listen(0, "127.0.0.1"));
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.actualPort() + path;
    }

    ObjectNode last() {
        return received.getLast();
    }

    private void answer(HttpServerRequest request, Buffer body) {
        var echo = Json.object()
                .put("method", request.method().name())
                .put("uri", request.uri())
                .put("body", body.toString());
        var headers = echo.putObject("headers");
        request.headers().forEach(header -> headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        received.add(echo);
        var response = request.response();
        switch (request.path()) {
            case "/token" ->
                response.putHeader("Content-Type", "application/json")
                        .end("{\"access_token\":\"token-1\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
            case "/fail" ->
                response.setStatusCode(422)
                        .putHeader("Content-Type", "application/json")
                        .end("{\"message\":\"no such pet\"}");
            case "/text" -> response.putHeader("Content-Type", "text/plain").end("plain words");
            case "/picture" ->
                response.putHeader("Content-Type", "image/png")
                        .end(Buffer.buffer(new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1}));
            case "/empty" -> response.setStatusCode(204).end();
            case "/link" -> page(request, "link");
            case "/cursor" -> page(request, "cursor");
            case "/away" ->
                response.setStatusCode(302)
                        .putHeader("Location", "http://10.0.0.1/")
                        .end();
            default -> {
                if (documents.containsKey(request.path())) {
                    response.end(documents.get(request.path()));
                } else {
                    response.putHeader("Content-Type", "application/json").end(Json.text(echo));
                }
            }
        }
    }

    private void page(HttpServerRequest request, String way) {
        var cursor = request.getParam("cursor");
        var number = request.getParam("page");
        var page = cursor != null ? Integer.parseInt(cursor) : number != null ? Integer.parseInt(number) : 1;
        var body = Json.object();
        var items = body.putArray("items");
        if (page <= PAGES) {
            items.add("item " + page + "a").add("item " + page + "b");
        }
        var response = request.response().putHeader("Content-Type", "application/json");
        if (page < PAGES) {
            body.put("next", page + 1);
            if (way.equals("link")) {
                response.putHeader(
                        "Link", "</prev>; rel=\"prev\", <" + url("/link?page=" + (page + 1)) + ">; rel=\"next\"");
            }
        }
        response.end(way.equals("link") ? Json.text(items) : Json.text(body));
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
