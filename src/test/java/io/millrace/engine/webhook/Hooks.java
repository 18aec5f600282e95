package io.millrace.engine.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.MachineSpeed;
import io.millrace.support.RawHttp;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Server with one account, for tests of webhooks: creates flows over the API and calls them without a credential. */
final class Hooks implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final TestServer server;
    private final TestServer.SignedIn owner;
    private final HttpClient client = HttpClient.newHttpClient();

    private Hooks(Map<String, String> settings) {
        this.server = TestServer.start(settings);
        this.owner = server.signUp("owner@example.org", "Olga");
    }

    static Hooks start(Map<String, String> settings) {
        return new Hooks(settings);
    }

    TestServer server() {
        return server;
    }

    /** Parses JSON with single quotes. */
    static JsonNode json(String singleQuoted) {
        return Json.trusted(singleQuoted.replace('\'', '"'));
    }

    /** A trigger without authentication. */
    static ObjectNode trigger() {
        return trigger("{'authType':'none'}");
    }

    static ObjectNode trigger(String input) {
        return (ObjectNode) json(("""
                {'name':'trigger','displayName':'Webhook','type':'PIECE_TRIGGER','valid':true,
                 'lastUpdatedDate':'2026-01-01T00:00:00.000Z',
                 'settings':{'pieceName':'@activepieces/piece-webhook','pieceVersion':'0.1.29',
                   'triggerName':'catch_webhook','input':INPUT,'propertySettings':{}}}
                """).replace("INPUT", input));
    }

    /** A step that responds to the caller; {@code input} is that of Return Response. */
    static ObjectNode answering(String input) {
        return piece("webhook", "0.1.29", "return_response", input);
    }

    /** A step with a delay. */
    static ObjectNode waiting(double seconds) {
        return piece("delay", "0.3.26", "delayFor", "{'unit':'seconds','delayFor':" + seconds + "}");
    }

    static ObjectNode piece(String piece, String version, String action, String input) {
        return step(
                "PIECE",
                ("""
                {'pieceName':'@activepieces/piece-PIECE','pieceVersion':'VERSION','actionName':'ACTION',
                 'input':INPUT,'propertySettings':{},'errorHandlingOptions':{}}
                """)
                        .replace("PIECE", piece)
                        .replace("VERSION", version)
                        .replace("ACTION", action)
                        .replace("INPUT", input));
    }

    /** A step that runs the code. */
    static ObjectNode code(String code) {
        var step = step("CODE", "{'input':{},'errorHandlingOptions':{}}");
        ((ObjectNode) step.get("settings"))
                .putObject("sourceCode")
                .put("code", code)
                .put("packageJson", "{}");
        return step;
    }

    private static ObjectNode step(String type, String settings) {
        var step = Json.object().put("displayName", "Step").put("type", type).put("valid", true);
        step.put("lastUpdatedDate", "2026-01-01T00:00:00.000Z");
        step.set("settings", json(settings));
        return step;
    }

    /** Creates a flow of these steps without publishing it; returns its id. */
    String draft(ObjectNode trigger, ObjectNode... steps) {
        var created = owner.api()
                .post(
                        "/v1/flows",
                        Json.object().put("projectId", owner.projectId()).put("displayName", "Flow"));
        var flowId = expect(201, created.status(), created.body()).path("id").asText();
        JsonNode next = null;
        for (var index = steps.length; index > 0; index--) {
            var step = steps[index - 1].put("name", "step_" + index);
            if (next != null) {
                step.set("nextAction", next);
            }
            next = step;
        }
        if (next != null) {
            trigger.set("nextAction", next);
        }
        var request = Json.object().put("displayName", "Flow").put("schemaVersion", "22");
        request.set("trigger", trigger);
        operate(flowId, "IMPORT_FLOW", request);
        return flowId;
    }

    /** Creates and publishes a flow of these steps; returns its id. */
    String flow(ObjectNode trigger, ObjectNode... steps) {
        var flowId = draft(trigger, steps);
        operate(flowId, "LOCK_AND_PUBLISH", Json.object());
        return flowId;
    }

    /** Creates a table with this external id. */
    void table(String externalId) {
        var table = Json.object()
                .put("projectId", owner.projectId())
                .put("name", externalId)
                .put("externalId", externalId);
        var answer = owner.api().post("/v1/tables", table);
        expect(201, answer.status(), answer.body());
    }

    void delete(String flowId) {
        var answer = owner.api().delete("/v1/flows/" + flowId);
        expect(204, answer.status(), answer.body());
    }

    JsonNode operate(String flowId, String type, JsonNode request) {
        var answer = owner.api()
                .post("/v1/flows/" + flowId, Json.object().put("type", type).set("request", request));
        return expect(200, answer.status(), answer.body());
    }

    private static JsonNode expect(int expected, int status, JsonNode body) {
        if (status != expected) {
            throw new AssertionError("expected " + expected + ", found " + status + " " + body);
        }
        return body;
    }

    /** All runs of a flow, newest first. */
    JsonNode runs(String flowId) {
        return owner.api()
                .get("/v1/flow-runs?projectId=" + owner.projectId() + "&flowId=" + flowId)
                .body()
                .path("data");
    }

    JsonNode run(String runId) {
        return owner.api().get("/v1/flow-runs/" + runId).body();
    }

    /** The only run of a flow, after it has ended. */
    JsonNode endedRun(String flowId) {
        Waiting.until(
                "the run ends",
                () -> !runs(flowId).path(0).path("finishTime").asText("").isEmpty());
        return run(runs(flowId).path(0).path("id").asText());
    }

    /** Saved samples of a flow's trigger, newest first. */
    JsonNode samples(String flowId) {
        return owner.api()
                .get("/v1/trigger-events?projectId=" + owner.projectId() + "&flowId=" + flowId)
                .body()
                .path("data");
    }

    /** Payload that the trigger received from the latest call to the sample route. */
    JsonNode sample(String flowId) {
        return samples(flowId).path(0).path("payload");
    }

    URI url(String flowIdAndVariant) {
        return URI.create("http://127.0.0.1:" + server.port() + "/api/v1/webhooks/" + flowIdAndVariant);
    }

    HttpResponse<String> call(String method, String flowIdAndVariant, BodyPublisher body, String... headers) {
        return callAsync(method, flowIdAndVariant, body, headers).join();
    }

    CompletableFuture<HttpResponse<String>> callAsync(
            String method, String flowIdAndVariant, BodyPublisher body, String... headers) {
        var request = HttpRequest.newBuilder(url(flowIdAndVariant))
                .timeout(MachineSpeed.deadline(DEADLINE))
                .method(method, body);
        return client.sendAsync(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String flowIdAndVariant, String contentType, String body) {
        return call("POST", flowIdAndVariant, BodyPublishers.ofString(body), "Content-Type", contentType);
    }

    HttpResponse<String> get(String flowIdAndVariant, String... headers) {
        return call("GET", flowIdAndVariant, BodyPublishers.noBody(), headers);
    }

    /** Text of a file at a public URL. */
    String download(String url) {
        var request = HttpRequest.newBuilder(URI.create(url))
                .timeout(MachineSpeed.deadline(DEADLINE))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString()).join().body();
    }

    /** A new connection. */
    RawHttp raw() {
        return RawHttp.connect(server.port());
    }

    static JsonNode parsed(HttpResponse<String> response) {
        try {
            return Json.parse(response.body());
        } catch (JsonProcessingException malformed) {
            throw new UncheckedIOException(new IOException("expected JSON, found " + response.body(), malformed));
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
