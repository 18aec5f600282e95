package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;

/** Requests of tests: pieces from documents, connections and runs of actions. */
record OpenApiBench(TestServer.SignedIn user, EchoServer echo) {
    static final String OPENAPI = "/v1/pieces/openapi";

    /** Adds the piece of a test document, whose API is the {@link EchoServer}. */
    String added(String document, String name) {
        var body = Json.object()
                .put("document", Documents.text(document))
                .put("name", name)
                .put("baseUrl", echo.url(""));
        var answer = user.api().post(OPENAPI, body);
        if (answer.status() != 201) {
            throw new IllegalStateException(answer.toString());
        }
        return answer.text("/name");
    }

    void connect(String externalId, String pieceName, String type, ObjectNode value) {
        var body = Json.object()
                .put("externalId", externalId)
                .put("displayName", externalId)
                .put("pieceName", pieceName)
                .put("projectId", user.projectId())
                .put("type", type);
        body.set("value", value.put("type", type));
        var saved = user.api().post("/v1/app-connections", body);
        if (saved.status() >= 300) {
            throw new IllegalStateException(saved.toString());
        }
    }

    Answer run(String pieceName, String action, String connection, JsonNode input) {
        var body = Json.object()
                .put("projectId", user.projectId())
                .put("pieceName", pieceName)
                .put("actionName", action);
        if (connection != null) {
            body.put("connectionExternalId", connection);
        }
        body.set("input", input);
        return user.api().post("/v1/actions/run", body);
    }

    /** The request that the {@link EchoServer} received for an action. */
    ObjectNode sent(String pieceName, String action, String connection, JsonNode input) {
        var answer = run(pieceName, action, connection, input);
        if (!answer.text("/status").equals("SUCCEEDED")) {
            throw new IllegalStateException(answer.toString());
        }
        return echo.last();
    }
}
