package io.millrace.support.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server of MCP on 127.0.0.1 with one tool, {@code note}, on the second page of its list, that remembers the numbers which
 * it was called with.
 */
public final class ToolServer implements AutoCloseable {
    private static final String SECOND_PAGE = "second";

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final List<Integer> numbers = new CopyOnWriteArrayList<>();

    private ToolServer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    public static ToolServer start() {
        return new ToolServer();
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var message = body.length() == 0 ? Json.object() : Json.trusted(body.toString());
            if (!message.has("id")) {
                request.response().setStatusCode(202).end();
                return;
            }
            var answer = Json.object().put("jsonrpc", "2.0");
            answer.set("id", message.path("id"));
            answer.set("result", resultOf(message));
            request.response().putHeader("Content-Type", "application/json").end(Json.text(answer));
        });
    }

    private ObjectNode resultOf(JsonNode message) {
        var result = Json.object();
        switch (message.path("method").asText()) {
            case "initialize" -> {
                result.put("protocolVersion", "2025-06-18")
                        .putObject("capabilities")
                        .putObject("tools");
                result.putObject("serverInfo").put("name", "notes").put("version", "1");
            }
            case "tools/list" -> {
                var tools = result.putArray("tools");
                if (!message.at("/params/cursor").asText().equals(SECOND_PAGE)) {
                    result.put("nextCursor", SECOND_PAGE);
                    return result;
                }
                var schema = tools.addObject()
                        .put("name", "note")
                        .put("description", "Notes a number.")
                        .putObject("inputSchema")
                        .put("type", "object");
                schema.putObject("properties").putObject("n").put("type", "number");
            }
            case "tools/call" -> {
                numbers.add(message.at("/params/arguments/n").asInt());
                result.putArray("content").addObject().put("type", "text").put("text", "noted");
            }
            default -> {
                // Nothing else is offered.
            }
        }
        return result;
    }

    /** What the tool was called with, in order. */
    public List<Integer> numbers() {
        return List.copyOf(numbers);
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort() + "/mcp";
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
