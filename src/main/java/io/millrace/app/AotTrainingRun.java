package io.millrace.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Training run that the JVM records for its {@link AotCache}: a server on a temporary database, its first account, a flow,
 * calls of its webhook and the first pages that users open. Runs as a separate process that is started like every server,
 * because each start has to load again what was not recorded here; it makes no external connections.
 */
public final class AotTrainingRun {
    /** First argument of such a process; the number of calls of each caller may follow. */
    static final String WORD = "--training-run";

    private static final Logger LOG = LoggerFactory.getLogger(AotTrainingRun.class);

    private static final int CALLERS = 16;

    /**
     * Calls of each caller; enough that the optimizing compiler compiles the call path here, and later without profiling it
     * again (decision 0063).
     */
    private static final int CALLS = 2_500;

    /** A slow host records fewer calls, so that the training ends within its limit. */
    private static final Duration CALLS_FOR = Duration.ofMinutes(3);

    /** More lists make the first lists after a start no faster (performance.md). */
    private static final int LOOKS = 5;

    private static final String FLOW = "/demo-flow.json";

    private static final List<String> PAGES =
            List.of("/flags", "/projects", "/flows?projectId=", "/flow-runs?limit=50&projectId=");

    private final HttpClient client;
    private final String api;
    private final int calls;
    private String token = "";
    private String projectId = "";

    private AotTrainingRun(HttpClient client, String url, int calls) {
        this.client = client;
        this.api = url + "/api/v1";
        this.calls = calls;
    }

    /**
     * Returns true if this process is a training run: by its argument, and by a data directory that {@link AotCache} has made
     * for it, because the run creates an account with a publicly known password.
     */
    public static boolean isMeant(List<String> arguments, Map<String, String> environment) {
        var directory = environment.getOrDefault("AP_DATA_DIR", "");
        return !arguments.isEmpty()
                && arguments.getFirst().equals(WORD)
                && directory.substring(directory.lastIndexOf('/') + 1).startsWith(AotCache.SCRATCH);
    }

    public static void begin(Vertx vertx, Server server, List<String> arguments) {
        var calls = arguments.size() == 1 ? CALLS : Integer.parseInt(arguments.get(1));
        var client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(CALLERS));
        new AotTrainingRun(client, server.publicUrl(), calls)
                .play()
                .onSuccess(_ -> end())
                .onFailure(AotTrainingRun::fail);
    }

    /** The JVM writes the cache while it ends, which takes seconds that no event loop has; the server stops before. */
    private static void end() {
        Thread.ofPlatform().name("end").start(() -> System.exit(0));
    }

    /** Ends the process without writing the cache: the recording of a failed start is useless. */
    private static void fail(Throwable cause) {
        LOG.error("the training run failed", cause);
        LogOutput.close();
        Runtime.getRuntime().halt(1);
    }

    private Future<Void> play() {
        return send(HttpMethod.GET, "/health", Json.object())
                .compose(_ -> post("/authentication/sign-up", account()))
                .compose(this::publish)
                .compose(flowId -> callTogether("/webhooks/" + flowId + "/sync"))
                .compose(_ -> look(LOOKS));
    }

    private Future<Void> look(int times) {
        if (times == 0) {
            return Future.succeededFuture();
        }
        Future<?> seen = Future.succeededFuture();
        for (var page : PAGES) {
            var path = page.endsWith("=") ? page + projectId : page;
            seen = seen.compose(_ -> send(HttpMethod.GET, path, Json.object()));
        }
        return seen.compose(_ -> look(times - 1));
    }

    private Future<String> publish(JsonNode session) {
        token = session.path("token").asText();
        projectId = session.path("projectId").asText();
        var wanted = Json.object().put("displayName", "Orders").put("projectId", projectId);
        return post("/flows", wanted)
                .map(flow -> flow.path("id").asText())
                .compose(flowId -> post("/flows/" + flowId, operation("IMPORT_FLOW", flow()))
                        .compose(_ -> post("/flows/" + flowId, operation("LOCK_AND_PUBLISH", Json.object())))
                        .map(flowId));
    }

    private Future<?> callTogether(String webhook) {
        var until = System.nanoTime() + CALLS_FOR.toNanos();
        return Future.all(IntStream.range(0, CALLERS)
                .mapToObj(_ -> call(webhook, calls, until))
                .toList());
    }

    private Future<Void> call(String webhook, int times, long until) {
        if (times == 0 || System.nanoTime() - until > 0) {
            return Future.succeededFuture();
        }
        var order = Json.object().put("customer", "Ada").put("quantity", times).put("price", 19.5);
        return post(webhook, order).compose(_ -> call(webhook, times - 1, until));
    }

    private Future<JsonNode> post(String path, JsonNode body) {
        return send(HttpMethod.POST, path, body);
    }

    private Future<JsonNode> send(HttpMethod method, String path, JsonNode body) {
        var options = new RequestOptions().setMethod(method).setAbsoluteURI(api + path);
        if (!token.isEmpty()) {
            options.putHeader("authorization", "Bearer " + token);
        }
        options.putHeader("content-type", "application/json");
        return client.request(options)
                .compose(request ->
                        method.equals(HttpMethod.GET) ? request.send() : request.send(Buffer.buffer(Json.bytes(body))))
                .compose(response -> response.body().map(answer -> accepted(path, response, answer)));
    }

    private static JsonNode accepted(String path, HttpClientResponse response, Buffer answer) {
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException(
                    "expected " + path + " to be accepted, found " + response.statusCode() + " " + answer);
        }
        return Json.trusted(answer.getBytes());
    }

    private static JsonNode account() {
        return Json.object()
                .put("email", "training@example.com")
                .put("password", "training-run")
                .put("firstName", "Re")
                .put("lastName", "Hearsal")
                .put("trackEvents", false)
                .put("newsLetter", false);
    }

    private static JsonNode operation(String type, JsonNode request) {
        return Json.object().put("type", type).set("request", request);
    }

    private static JsonNode flow() {
        try (var stream = Objects.requireNonNull(AotTrainingRun.class.getResourceAsStream(FLOW), FLOW)) {
            return Json.trusted(stream.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
