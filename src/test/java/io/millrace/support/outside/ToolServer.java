package io.millrace.support.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * MCP server on 127.0.0.1 with one tool, {@code note}, on the second page of its list, that records the numbers it was
 * called with. It offers Streamable HTTP at one address, and only the older transport, HTTP with SSE, at another.
 */
public final class ToolServer implements AutoCloseable {
    private static final String SECOND_PAGE = "second";
    private static final String STREAMABLE = "/mcp";
    private static final String STREAM = "/sse";
    private static final String MESSAGES = "/messages";

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final List<Integer> numbers = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final List<JsonNode> pongs = new CopyOnWriteArrayList<>();
    private final Map<String, HttpServerResponse> streams = new ConcurrentHashMap<>();
    private final AtomicInteger sessions = new AtomicInteger();

    private ToolServer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    public static ToolServer start() {
        return new ToolServer();
    }

    private void receive(HttpServerRequest request) {
        keys.add(String.valueOf(request.getHeader("Authorization")));
        request.body().onSuccess(body -> {
            var message = body.length() == 0 ? Json.object() : Json.trusted(body.toString());
            switch (request.path()) {
                case STREAMABLE -> answer(request.response(), message);
                case STREAM -> open(request);
                case MESSAGES -> take(request, message);
                default -> request.response().setStatusCode(404).end();
            }
        });
    }

    private void answer(HttpServerResponse response, JsonNode message) {
        if (message.has("id")) {
            response.putHeader("Content-Type", "application/json").end(Json.text(answerTo(message)));
        } else {
            response.setStatusCode(202).end();
        }
    }

    private ObjectNode answerTo(JsonNode message) {
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        answer.set("result", resultOf(message));
        return answer;
    }

    /** Begins a session: sends the address for messages, and leaves the stream open. */
    private void open(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.GET)) {
            request.response().setStatusCode(405).end();
            return;
        }
        var session = Integer.toString(sessions.incrementAndGet());
        var stream = request.response().setChunked(true).putHeader("Content-Type", "text/event-stream");
        stream.closeHandler(_ -> streams.remove(session));
        streams.put(session, stream);
        stream.write(": welcome\r\n\r\nevent: endpoint\r\ndata: " + MESSAGES + "?session=" + session + "\r\n\r\n");
    }

    /** Responds on the stream; an initialized client is pinged once. */
    private void take(HttpServerRequest request, JsonNode message) {
        if (!message.has("method")) {
            // May arrive on a connection of its own after the client has closed its stream.
            pongs.add(message);
            request.response().setStatusCode(202).end("Accepted");
            return;
        }
        var stream = streams.get(String.valueOf(request.getParam("session")));
        if (stream == null) {
            request.response().setStatusCode(404).end();
            return;
        }
        request.response().setStatusCode(202).end("Accepted");
        if (message.has("id")) {
            tell(stream, answerTo(message));
        } else {
            tell(stream, Json.object().put("jsonrpc", "2.0").put("id", "there?").put("method", "ping"));
        }
    }

    private static void tell(HttpServerResponse stream, ObjectNode message) {
        stream.write("event: message\ndata: " + Json.text(message) + "\n\n");
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
                // Other methods are not offered.
            }
        }
        return result;
    }

    /** Arguments of the tool calls, in order. */
    public List<Integer> numbers() {
        return List.copyOf(numbers);
    }

    /** {@code Authorization} header of each request. */
    public List<String> keys() {
        return List.copyOf(keys);
    }

    /** Responses to requests that the server sent. */
    public List<JsonNode> pongs() {
        return List.copyOf(pongs);
    }

    /** Number of event streams that have not been closed. */
    public int openStreams() {
        return streams.size();
    }

    /** URL of the Streamable HTTP transport. */
    public String url() {
        return "http://127.0.0.1:" + server.actualPort() + STREAMABLE;
    }

    /** URL of the older transport, HTTP with SSE. */
    public String streamUrl() {
        return "http://127.0.0.1:" + server.actualPort() + STREAM;
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
