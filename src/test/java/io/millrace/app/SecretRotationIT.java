package io.millrace.app;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.config.BadSetting;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rotation of AP_JWT_SECRET with the former value in AP_JWT_SECRET_PREVIOUS (decision 0106). */
final class SecretRotationIT {
    private static final String NEW_SECRET = "a secret that replaced the first";
    private static final String INVITATIONS = "/v1/user-invitations";

    private final TestServer issuer = ServerSettings.openSignUp().startInRealTime();
    private final TestServer.SignedIn owner = issuer.signUp("ada@example.com", "Ada");
    private final LiveFlow approval =
            LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
    private final LiveFlow echo =
            LiveFlow.publish(owner, webhook().returnJson("step_1", "{'file':'{{trigger.output.body.file}}'}"));

    private String runId;
    private String approvalLink;
    private String fileAddress;
    private String invitation;

    /** The issuer keeps the database until its close. */
    @BeforeEach
    void issueLinksAndStop() {
        approval.call(json("{}"));
        Waiting.until(
                "the run waits",
                () -> approval.newest().at("/steps/step_2/status").asText().equals("PAUSED"));
        runId = approval.newest().path("id").asText();
        approvalLink = approval.newest().at("/steps/step_1/output/approvalLink").asText();
        fileAddress = uploaded(owner);
        invitation = invited("guest@example.com");
        issuer.stopServer();
    }

    @AfterEach
    void close() {
        issuer.close();
    }

    @Test
    void acceptsLinksOfThePreviousSecret_endsSessions_andSignsWithTheNewOne() {
        String laterAddress;
        try (var rotated = successor(TestServer.JWT_SECRET)) {
            // Then
            assertThat(opened(rotated, fileAddress).body().asText()).isEqualTo("a note");
            assertThat(decided(rotated).status()).isEqualTo(200);
            assertThat(accepted(rotated).status()).isEqualTo(200);
            assertThat(owner.api().at(rotated).get("/v1/projects").status()).isEqualTo(401);

            // When
            var again = signedIn(rotated);
            laterAddress = uploaded(again);

            // Then
            Waiting.until(
                    "the run ends", () -> run(again).path("status").asText().equals("SUCCEEDED"));
            assertThat(run(again).at("/steps/step_2/output/approved").asBoolean())
                    .isTrue();
            assertThat(opened(rotated, laterAddress).status()).isEqualTo(200);
        }

        try (var withoutPrevious = successor("")) {
            assertThat(opened(withoutPrevious, laterAddress).status()).isEqualTo(200);
            assertThat(opened(withoutPrevious, fileAddress).status()).isBetween(401, 404);
        }
    }

    @Test
    void refusesLinksOfAnyOtherSecret() {
        try (var rotated = successor("a secret that has signed nothing")) {
            assertThat(opened(rotated, fileAddress).status()).isBetween(401, 404);
            assertThat(decided(rotated).status()).isEqualTo(404);
            assertThat(accepted(rotated).status()).isBetween(400, 404);
            assertThat(run(signedIn(rotated)).path("status").asText()).isEqualTo("PAUSED");
        }
    }

    /** A secret from before the minimum length can only be rotated if it is accepted as the previous one. */
    @Test
    void refusesAShortSecret_andAcceptsAShortPreviousOne() {
        assertThatThrownBy(() -> issuer.successor(Map.of("AP_JWT_SECRET", "fifteen letters")))
                .isInstanceOf(BadSetting.class)
                .hasMessageContainingAll("AP_JWT_SECRET", "16 characters", "found 15", "AP_JWT_SECRET_PREVIOUS");

        try (var rotated = successor("short")) {
            assertThat(rotated.anonymous().get("/v1/health").status()).isEqualTo(200);
        }
    }

    private TestServer successor(String previous) {
        return issuer.successor(Map.of(
                "AP_JWT_SECRET", NEW_SECRET, "AP_JWT_SECRET_PREVIOUS", previous, "AP_ALLOW_OPEN_SIGN_UP", "true"));
    }

    private TestServer.SignedIn signedIn(TestServer server) {
        var account = Json.object().put("email", "ada@example.com").put("password", "correct horse");
        var token =
                server.anonymous().post("/v1/authentication/sign-in", account).text("/token");
        return new TestServer.SignedIn(
                server.anonymous().with(token), owner.userId(), owner.platformId(), owner.projectId());
    }

    private JsonNode run(TestServer.SignedIn reader) {
        return reader.api().get("/v1/flow-runs/" + runId).body();
    }

    private String uploaded(TestServer.SignedIn caller) {
        var note = "a note".getBytes(StandardCharsets.UTF_8);
        return caller.api()
                .postForm("/v1/webhooks/" + echo.id() + "/sync", Map.of(), "file", "note.txt", note)
                .text("/file");
    }

    private String invited(String email) {
        var body = Json.object().put("type", "PLATFORM").put("email", email).put("platformRole", "MEMBER");
        return owner.api().post(INVITATIONS, body).text("/link").replaceAll(".*token=|&.*", "");
    }

    private Answer accepted(TestServer server) {
        return server.anonymous().post(INVITATIONS + "/accept", Json.object().put("invitationToken", invitation));
    }

    private Answer decided(TestServer server) {
        return server.anonymous().send("POST", path(approvalLink), Map.of("Accept", "application/json"), "");
    }

    private static Answer opened(TestServer server, String address) {
        return server.anonymous().get(path(address));
    }

    /** Path below the API: each server has another port. */
    private static String path(String address) {
        var uri = URI.create(address);
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return uri.getRawPath().replaceFirst("^/api", "") + query;
    }
}
