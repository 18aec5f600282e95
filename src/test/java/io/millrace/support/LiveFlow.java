package io.millrace.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A published flow of a running server: its webhook, and its runs as read by its owner. */
public final class LiveFlow {
    private static final Set<String> LIVE = Set.of("QUEUED", "RUNNING", "PAUSED");

    private final ApiClient api;
    private final String projectId;
    private final String id;
    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    private LiveFlow(ApiClient api, String projectId, String id) {
        this.api = api;
        this.projectId = projectId;
        this.id = id;
    }

    /** Creates a draft in the owner's project. */
    public static LiveFlow draft(TestServer.SignedIn owner, FlowScript script) {
        var flow = draft(owner, "Mill");
        flow.change(script);
        return flow;
    }

    private static LiveFlow draft(TestServer.SignedIn owner, String name) {
        var body = Json.object().put("projectId", owner.projectId()).put("displayName", name);
        return new LiveFlow(
                owner.api(),
                owner.projectId(),
                accepted(owner.api().post("/v1/flows", body)).text("/id"));
    }

    /** Creates a flow of this name in the owner's project, changes it by an operation, and publishes it. */
    public static LiveFlow named(TestServer.SignedIn owner, String name, JsonNode operation) {
        var flow = draft(owner, name);
        accepted(flow.operate(operation));
        flow.publish();
        return flow;
    }

    /** Creates and publishes a flow in the owner's project. */
    public static LiveFlow publish(TestServer.SignedIn owner, FlowScript script) {
        var flow = draft(owner, script);
        flow.publish();
        return flow;
    }

    /** Replaces the steps of the draft. */
    public void change(FlowScript script) {
        accepted(operate(script.importOperation("Mill")));
    }

    public void publish() {
        var operation = Json.object().put("type", "LOCK_AND_PUBLISH");
        operation.putObject("request");
        accepted(operate(operation));
    }

    /** Applies any operation. */
    public Answer operate(JsonNode operation) {
        return api.post("/v1/flows/" + id, operation);
    }

    public String id() {
        return id;
    }

    /** External id, by which other flows call it. */
    public String externalId() {
        return accepted(api.get("/v1/flows/" + id)).text("/externalId");
    }

    /** Sends an event and waits until it is accepted. */
    public Answer call(JsonNode body) {
        return api.post(path(), body);
    }

    /** Sends an event and waits for the flow's response. */
    public Answer callAndWait(JsonNode body) {
        return api.post(path() + "/sync", body);
    }

    /** Sends an event without waiting for the response. */
    public CompletableFuture<Answer> callAsync(String variant, JsonNode body) {
        return api.postAsync(path() + variant, body);
    }

    /** The same flow at another server of the same database. */
    public LiveFlow at(TestServer server) {
        return new LiveFlow(api.at(server), projectId, id);
    }

    private String path() {
        return "/v1/webhooks/" + id;
    }

    /** Sends an event and returns its ended run with steps. For a flow with no other run in progress. */
    public JsonNode run(JsonNode body) {
        var before = runs().size();
        accepted(call(body));
        return ended(before + 1);
    }

    /** The newest run with its steps, after this many runs exist and the newest has ended. */
    public JsonNode ended(int count) {
        return ended(count, this::runs);
    }

    /** As {@link #ended}, after lost database connections: repeats requests that are answered 503. */
    public JsonNode endedAfterOutage(int count) {
        return ended(count, () -> {
            var answer = listed();
            return answer.status() == 503 ? List.of() : dataOf(answer);
        });
    }

    private JsonNode ended(int count, Supplier<List<JsonNode>> newest) {
        var found = new AtomicReference<String>();
        Waiting.until("run " + count + " of the flow has ended", () -> {
            var runs = newest.get();
            if (runs.size() < count) {
                return false;
            }
            var last = newestOf(runs);
            found.set(last.path("id").asText());
            return !LIVE.contains(last.path("status").asText());
        });
        answered.add(found.get());
        return run(found.get());
    }

    /** Newest run that was not returned before: runs with equal times under a stopped clock have no order. */
    private JsonNode newestOf(List<JsonNode> runs) {
        var moment = runs.getFirst().path("created");
        return runs.stream()
                .filter(run -> run.path("created").equals(moment)
                        && !answered.contains(run.path("id").asText()))
                .findFirst()
                .orElse(runs.getFirst());
    }

    /** The current state of a run. */
    public JsonNode run(String runId) {
        return accepted(api.get("/v1/flow-runs/" + runId)).body();
    }

    /** The current state of the newest run. */
    public JsonNode newest() {
        return run(newestId());
    }

    public String newestId() {
        return runs().getFirst().path("id").asText();
    }

    /** The newest runs of the flow, without steps. */
    public List<JsonNode> runs() {
        return dataOf(listed());
    }

    private Answer listed() {
        return api.get("/v1/flow-runs?limit=100&projectId=" + projectId + "&flowId=" + id);
    }

    private static List<JsonNode> dataOf(Answer answer) {
        return accepted(answer).body().path("data").valueStream().toList();
    }

    private static Answer accepted(Answer answer) {
        if (answer.status() >= 300) {
            throw new AssertionError("expected to be accepted, found " + answer);
        }
        return answer;
    }
}
