package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import java.util.concurrent.CompletableFuture;

/** Client of one flow over the API. Requests are JSON with single quotes. */
public record FlowClient(ApiClient api, String flowId) {
    /** A trigger that starts with any request to the flow's webhook. */
    public static final String WEBHOOK = FlowSamples.step(
            "trigger",
            "PIECE_TRIGGER",
            "{'pieceName':'@activepieces/piece-webhook','pieceVersion':'0.1.29','triggerName':'catch_webhook',"
                    + "'input':{'authType':'none','authFields':{}},'propertySettings':{}}");

    /** A trigger of a kind that this release does not support. */
    public static final String SCHEDULE = FlowSamples.step(
            "trigger",
            "PIECE_TRIGGER",
            "{'pieceName':'@activepieces/piece-schedule','pieceVersion':'0.1.17','triggerName':'every_hour',"
                    + "'input':{'run_on_weekends':true},'propertySettings':{}}");

    public static Answer tryToCreate(ApiClient api, String projectId, String name) {
        return api.post("/v1/flows", Json.object().put("projectId", projectId).put("displayName", name));
    }

    public static FlowClient create(ApiClient api, String projectId, String name) {
        return new FlowClient(
                api, expect(201, tryToCreate(api, projectId, name)).text("/id"));
    }

    /** A flow that responds to its caller with a text. */
    public static FlowClient answering(ApiClient api, String projectId, String text) {
        var flow = create(api, projectId, "Answers " + text);
        flow.change("UPDATE_TRIGGER", WEBHOOK);
        flow.change("ADD_ACTION", "{'parentStep':'trigger','action':" + answerStep(text) + "}");
        return flow;
    }

    /** The step that responds to the caller. */
    public static String answerStep(String text) {
        return FlowSamples.step(
                "step_1",
                "PIECE",
                "{'pieceName':'@activepieces/piece-webhook','pieceVersion':'0.1.29','actionName':'return_response',"
                        + "'input':{'responseType':'json','fields':{'status':200,'headers':{},'body':{'says':'" + text
                        + "'}},'respond':'stop'},'propertySettings':{}}");
    }

    public FlowClient by(ApiClient otherApi) {
        return new FlowClient(otherApi, flowId);
    }

    public String path() {
        return "/v1/flows/" + flowId;
    }

    public Answer get() {
        return api.get(path());
    }

    public JsonNode version() {
        return expect(200, get()).body().path("version");
    }

    public Answer apply(String type, String request) {
        return api.post(path(), operation(type, request));
    }

    public CompletableFuture<Answer> applyAsync(String type, String request) {
        return api.postAsync(path(), operation(type, request));
    }

    /** Applies an operation that must succeed. */
    public JsonNode change(String type, String request) {
        return expect(200, apply(type, request)).body();
    }

    public Answer publish() {
        return apply("LOCK_AND_PUBLISH", "{}");
    }

    /** Calls the webhook of the published flow and waits for its response. */
    public Answer call() {
        return api.post("/v1/webhooks/" + flowId + "/sync", Json.object());
    }

    /** The steps in the notation of contract 34.1. */
    String shown() {
        return FlowSamples.show(
                FlowSamples.empty().with(StepTree.stored(version().path("trigger"))));
    }

    public static Answer expect(int status, Answer answer) {
        if (answer.status() != status) {
            throw new AssertionError("expected " + status + ", found " + answer.status() + " " + answer.body());
        }
        return answer;
    }

    private static JsonNode operation(String type, String request) {
        return Json.object().put("type", type).set("request", FlowSamples.json(request));
    }
}
