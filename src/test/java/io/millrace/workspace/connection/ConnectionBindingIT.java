package io.millrace.workspace.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Connections on a server that restricts them to their own pieces; {@link ConnectionRunIT} covers other servers. */
class ConnectionBindingIT {
    private static final String HTTP = "@activepieces/piece-http";

    private static TestServer server;
    private static TestServer.SignedIn admin;
    private static Outside outside;

    @BeforeAll
    static void start() {
        outside = Outside.start();
        server = ServerSettings.localCalls()
                .with("AP_ENFORCE_CONNECTION_PIECE_BINDING", "true")
                .start();
        admin = server.signUp("ada@example.com", "Ada");
        save("own", HTTP);
        save("other", "@activepieces/piece-subflows");
    }

    @AfterAll
    static void stop() {
        server.close();
        outside.close();
    }

    @Test
    void serveStepsOfTheirOwnPiece() {
        // When
        var run = LiveFlow.publish(admin, call("own")).run(Json.object());

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.calls()).extracting(Outside.Received::authorization).contains("Bearer secret of own");
    }

    @Test
    void serveNoStepOfAnotherPiece() {
        // When
        var run = LiveFlow.publish(admin, call("other")).run(Json.object());

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText())
                .contains("ConnectionLoadingFailure")
                .contains("connection (other) belongs to piece @activepieces/piece-subflows");
        assertThat(outside.calls())
                .extracting(Outside.Received::authorization)
                .doesNotContain("Bearer secret of other");
    }

    @Test
    void serveNoCode() {
        // Given
        var script = FlowScript.webhook()
                .code(
                        "step_1",
                        "export const code = async (inputs) => inputs.key;",
                        "{'key':'{{connections.own.secret_text}}'}");

        // When
        var run = LiveFlow.publish(admin, script).run(Json.object());

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("belongs to piece " + HTTP);
    }

    private static FlowScript call(String externalId) {
        var input = ConnectionBody.call(outside.url("/called"), "{{connections." + externalId + ".secret_text}}");
        return FlowScript.webhook().piece("step_1", HTTP, "0.11.13", "send_request", input);
    }

    private static void save(String externalId, String pieceName) {
        ObjectNode body = Json.object()
                .put("projectId", admin.projectId())
                .put("externalId", externalId)
                .put("displayName", externalId)
                .put("pieceName", pieceName)
                .put("type", "SECRET_TEXT");
        body.putObject("value").put("type", "SECRET_TEXT").put("secret_text", "secret of " + externalId);
        assertThat(admin.api().post("/v1/app-connections", body).status()).isEqualTo(201);
    }
}
