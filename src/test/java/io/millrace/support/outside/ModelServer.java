package io.millrace.support.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Provider of models on 127.0.0.1 with the chat completions API. Responses are taken from a queue; if it is empty, a
 * function computes them from the request.
 */
public final class ModelServer implements AutoCloseable {
    private static final int VECTOR_LENGTH = 1_000;
    private static final int PLACES = 700;

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final Queue<Reply> script = new ConcurrentLinkedQueue<>();
    private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean holds = new AtomicBoolean();
    private final AtomicReference<Function<JsonNode, Reply>> otherwise = new AtomicReference<>(_ -> text("Done."));

    /** Bodies of the chat requests, in order. */
    public final List<JsonNode> questions = new CopyOnWriteArrayList<>();

    /** Bodies of the embedding requests, in order. */
    public final List<JsonNode> embedded = new CopyOnWriteArrayList<>();

    /** Headers of the requests. */
    public final List<String> keys = new CopyOnWriteArrayList<>();

    private final LongAdder spentNanos = new LongAdder();

    private final AtomicReference<Function<JsonNode, Reply>> embeddings = new AtomicReference<>(ModelServer::vectors);

    /** A prepared response. */
    public record Reply(int status, String body, String retryAfter, End end) {
        /** Ends of a response. */
        private enum End {
            WHOLE,
            /** The second half does not arrive. */
            BROKEN_OFF,
            /** The event stream stalls. */
            STREAM_BROKEN_OFF
        }

        Reply(int status, String body) {
            this(status, body, null, End.WHOLE);
        }

        /** This response with a {@code Retry-After} header. */
        public Reply retryAfter(String seconds) {
            return new Reply(status, body, seconds, end);
        }

        /** This response, without its end. */
        public Reply brokenOff() {
            return new Reply(status, body, retryAfter, End.BROKEN_OFF);
        }

        /** This response, with this cost in dollars. */
        public Reply priced(String dollars) {
            return new Reply(
                    status, body.replace("\"usage\":{", "\"usage\":{\"cost\":" + dollars + ","), retryAfter, end);
        }

        /** This response, with this token usage. */
        public Reply costing(int tokens) {
            return new Reply(
                    status, body.replace("\"prompt_tokens\":10", "\"prompt_tokens\":" + tokens), retryAfter, end);
        }
    }

    private ModelServer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    public static ModelServer start() {
        return new ModelServer();
    }

    private void receive(HttpServerRequest request) {
        var begun = System.nanoTime();
        request.body().onSuccess(body -> {
            var question = Json.trusted(body.length() == 0 ? "{}" : body.toString());
            if (request.path().endsWith("/embeddings")) {
                embedded.add(question);
                var made = embeddings.get().apply(question);
                request.response()
                        .setStatusCode(made.status())
                        .putHeader("Content-Type", "application/json")
                        .end(made.body());
                return;
            }
            questions.add(question);
            keys.add(String.valueOf(request.getHeader("x-key")));
            if (holds.get()) {
                held.add(request);
                return;
            }
            var reply = script.poll();
            var sent = reply == null ? otherwise.get().apply(question) : reply;
            send(sent, request).onComplete(_ -> spentNanos.add(System.nanoTime() - begun));
        });
    }

    private static Future<Void> send(Reply reply, HttpServerRequest request) {
        var response = request.response();
        response.setStatusCode(reply.status()).putHeader("Content-Type", "application/json");
        if (reply.retryAfter() != null) {
            response.putHeader("Retry-After", reply.retryAfter());
        }
        return switch (reply.end()) {
            case WHOLE -> response.end(reply.body());
            case BROKEN_OFF -> {
                response.putHeader("Content-Length", String.valueOf(reply.body().length()));
                yield response.write(reply.body().substring(0, reply.body().length() / 2))
                        .compose(_ -> request.connection().close());
            }
            case STREAM_BROKEN_OFF ->
                response.putHeader("Content-Type", "text/event-stream")
                        .setChunked(true)
                        .write(reply.body())
                        .compose(_ -> request.connection().close());
        };
    }

    /** Total time of responses so far, from the first byte of each request to the last byte of its response. */
    public long spentNanos() {
        return spentNanos.sum();
    }

    /** Holds all requests until {@link #release}. */
    public void holding() {
        holds.set(true);
    }

    /** Stops holding requests, and answers the held ones with status 503. */
    public void release() {
        release(new Reply(503, ""));
    }

    /** Responds again, and gives the held requests this response. */
    public void release(Reply reply) {
        holds.set(false);
        answerHeld(reply);
    }

    /** Answers all held requests; later requests are held again. */
    public void answerHeld(Reply reply) {
        for (var request = held.poll(); request != null; request = held.poll()) {
            if (!request.response().closed()) {
                send(reply, request);
            }
        }
    }

    /** Number of connected callers that wait for a response. */
    public long waiting() {
        return held.stream().filter(request -> !request.response().closed()).count();
    }

    /** Queues a response. */
    public ModelServer then(Reply reply) {
        script.add(reply);
        return this;
    }

    /** Sets the response for requests without a prepared one. */
    public ModelServer otherwise(Function<JsonNode, Reply> made) {
        otherwise.set(made);
        return this;
    }

    /** Sets the response to embedding requests; by default, texts with the same words have similar vectors. */
    public ModelServer embedding(Function<JsonNode, Reply> made) {
        embeddings.set(made);
        return this;
    }

    /** A vector for each text, longer than needed: each word maps to a dimension. */
    public static Reply vectors(JsonNode question) {
        var body = Json.object();
        var data = body.putArray("data");
        for (var text : question.path("input")) {
            var counts = new double[VECTOR_LENGTH];
            for (var word : text.asText().toLowerCase(Locale.ROOT).split("[^a-z0-9]+")) {
                counts[Math.floorMod(word.hashCode(), PLACES)]++;
            }
            var item = data.addObject().put("index", data.size() - 1);
            var numbers = item.putArray("embedding");
            Arrays.stream(counts).forEach(numbers::add);
        }
        body.putObject("usage").put("prompt_tokens", 7 * question.path("input").size());
        return new Reply(200, Json.text(body));
    }

    /** Clears the recorded requests and the queue. */
    public void clear() {
        embedded.clear();
        embeddings.set(ModelServer::vectors);
        questions.clear();
        keys.clear();
        script.clear();
        otherwise.set(_ -> text("Done."));
    }

    public static Reply text(String text) {
        return message(Json.object().put("role", "assistant").put("content", text), "stop");
    }

    /** Response with this body, with single quotes replaced: JSON, or events of a stream. */
    public static Reply saying(String body) {
        return new Reply(200, body.replace('\'', '"'));
    }

    /** A response that ends at the token limit. */
    public static Reply halfSaid(String text) {
        var event = Json.object();
        event.putArray("choices").addObject().putObject("delta").put("content", text);
        return new Reply(200, "data: " + Json.text(event) + "\n\n", null, Reply.End.STREAM_BROKEN_OFF);
    }

    /** A refusal by the model. */
    public static Reply refusal(String text) {
        return message(Json.object().put("role", "assistant").putNull("content").put("refusal", text), "stop");
    }

    /** An image in base64, as chat messages contain it. */
    public static Reply picture(String base64) {
        var message = Json.object().put("role", "assistant").put("content", "");
        message.putArray("images")
                .addObject()
                .put("type", "image_url")
                .putObject("image_url")
                .put("url", "data:image/png;base64," + base64);
        return message(message, "stop");
    }

    public static Reply cutOff(String text) {
        return message(Json.object().put("role", "assistant").put("content", text), "length");
    }

    /** Tool calls: alternately name and arguments. */
    public static Reply calls(String... namesAndArguments) {
        var message = Json.object().put("role", "assistant").putNull("content");
        var calls = message.putArray("tool_calls");
        for (var index = 0; index < namesAndArguments.length; index += 2) {
            calls.addObject()
                    .put("id", "call-" + index)
                    .put("type", "function")
                    .putObject("function")
                    .put("name", namesAndArguments[index])
                    .put("arguments", namesAndArguments[index + 1].replace('\'', '"'));
        }
        return message(message, "tool_calls");
    }

    public static Reply failure(int status, String message) {
        var body = Json.object();
        body.putObject("error").put("message", message);
        return new Reply(status, Json.text(body));
    }

    private static Reply message(ObjectNode message, String reason) {
        var body = Json.object();
        body.putArray("choices").addObject().put("finish_reason", reason).set("message", message);
        body.putObject("usage").put("prompt_tokens", 10).put("completion_tokens", 5);
        return new Reply(200, Json.text(body));
    }

    /** Makes this server the chat provider of a platform. */
    public void serve(TestServer.SignedIn admin) {
        serve(admin.api());
    }

    /** As above, with the token of an administrator. */
    public void serve(ApiClient admin) {
        var request = Json.object().put("provider", "custom").put("displayName", "House models");
        var config = request.putObject("config")
                .put("baseUrl", url("/v1"))
                .put("apiKeyHeader", "x-key")
                .put("embeddingModel", "mill-vectors");
        config.putArray("models")
                .addObject()
                .put("modelId", "mill-1")
                .put("modelName", "Mill 1")
                .put("modelType", "text");
        request.putObject("auth").put("apiKey", "k3y9");
        var id = admin.post("/v1/ai-providers", request).text("/id");
        admin.post(
                "/v1/ai-providers/" + id,
                Json.object().put("displayName", "House models").put("enabledForChat", true));
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.actualPort() + path;
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
