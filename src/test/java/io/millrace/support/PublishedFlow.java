package io.millrace.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.List;

/**
 * A webhook flow that responds, created over HTTP by the owner of its project.
 *
 * @param api client with the owner's token
 */
public record PublishedFlow(ApiClient api, String projectId, String flowId) {
    /** Signs the first account up or in, and publishes a flow in its project. */
    public static PublishedFlow create(ApiClient anonymous, JsonNode flow) {
        var account = ApiClient.signUpBody("owner@example.com", "Olga");
        var session = anonymous.post("/v1/authentication/sign-up", account);
        if (session.status() != 200) {
            session = anonymous.post("/v1/authentication/sign-in", account.retain("email", "password"));
        }
        return publish(anonymous.with(expect(200, session).text("/token")), session.text("/projectId"), flow);
    }

    /** Publishes another flow in a new project of the same platform. */
    public PublishedFlow inProjectOfItsOwn(JsonNode other) {
        var project = expect(201, api.post("/v1/projects", Json.object().put("displayName", "Project")));
        return publish(api, project.text("/id"), other);
    }

    /** Publishes another flow in the same project. */
    public PublishedFlow beside(JsonNode other) {
        return publish(api, projectId, other);
    }

    private static PublishedFlow publish(ApiClient api, String projectId, JsonNode flow) {
        var wanted = Json.object().put("displayName", "Flow").put("projectId", projectId);
        var flowId = expect(201, api.post("/v1/flows", wanted)).text("/id");
        expect(200, api.post("/v1/flows/" + flowId, operation("IMPORT_FLOW", flow)));
        expect(200, api.post("/v1/flows/" + flowId, operation("LOCK_AND_PUBLISH", Json.object())));
        return new PublishedFlow(api, projectId, flowId);
    }

    /** The same flow at another address: the server may have another port after a restart. */
    public PublishedFlow at(ApiClient anonymous) {
        var account = ApiClient.signUpBody("owner@example.com", "Olga").retain("email", "password");
        var session = expect(200, anonymous.post("/v1/authentication/sign-in", account));
        return new PublishedFlow(anonymous.with(session.text("/token")), projectId, flowId);
    }

    /** The same flow with the client's address and this flow's token. */
    public PublishedFlow asked(ApiClient anonymous) {
        return new PublishedFlow(anonymous.with(api.token()), projectId, flowId);
    }

    /** External id, by which other flows call it. */
    public String externalId() {
        return expect(200, api.get("/v1/flows/" + flowId)).text("/externalId");
    }

    /** Runs of the flow, the newest first, without their steps. */
    public List<JsonNode> runs() {
        return api.get("/v1/flow-runs?projectId=" + projectId + "&flowId=" + flowId)
                .body()
                .path("data")
                .valueStream()
                .toList();
    }

    private static JsonNode operation(String type, JsonNode request) {
        return Json.object().put("type", type).set("request", request);
    }

    private static ApiClient.Answer expect(int status, ApiClient.Answer answer) {
        if (answer.status() != status) {
            throw new AssertionError("expected " + status + ", found " + answer.status() + " " + answer.body());
        }
        return answer;
    }
}
