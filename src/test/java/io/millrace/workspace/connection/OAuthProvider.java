package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Token endpoint on 127.0.0.1. It issues token-1, token-2 and so on, unless a test sets the next response. */
final class OAuthProvider implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final Queue<Said> said = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private final HttpServer server;
    private volatile boolean holding;

    /** @param authorization null without the header */
    record Asked(String path, Map<String, String> form, String authorization) {}

    private record Said(int status, String body) {}

    OAuthProvider() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    private void receive(HttpServerRequest request) {
        request.setExpectMultipart(true);
        request.endHandler(_ -> {
            var form = request.formAttributes().entries().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            answer(request, new Asked(request.path(), form, request.getHeader("Authorization")));
        });
    }

    /**
     * A request is recorded after its response can be released: a test that waits for it may release it immediately.
     */
    private synchronized void answer(HttpServerRequest request, Asked question) {
        asked.add(question);
        var answer = said.isEmpty() ? new Said(200, Json.text(token())) : said.poll();
        if (holding) {
            held.add(() -> send(request.response(), answer));
        } else {
            send(request.response(), answer);
        }
    }

    private static void send(HttpServerResponse response, Said answer) {
        response.setStatusCode(answer.status())
                .putHeader("Content-Type", "application/json")
                .end(answer.body());
    }

    private ObjectNode token() {
        return Json.object()
                .put("access_token", "token-" + asked.size())
                .put("refresh_token", "refresh-" + asked.size())
                .put("expires_in", 3600)
                .put("token_type", "Bearer")
                .put("instance_url", "https://mill.example.com");
    }

    /** Queues a response that replaces the next token; single quotes are replaced by double quotes. */
    void say(int status, String body) {
        said.add(new Said(status, body.replace('\'', '"')));
    }

    /** Holds responses until they are released. */
    void hold() {
        holding = true;
    }

    synchronized void release() {
        holding = false;
        for (var answer = held.poll(); answer != null; answer = held.poll()) {
            answer.run();
        }
    }

    void awaitAsked(int count) {
        Waiting.until(count + " requests for a token", () -> asked.size() >= count);
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    Asked lastAsked() {
        return asked.getLast();
    }

    String origin() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
