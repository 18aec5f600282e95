package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.outside.GitServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Two projects of a platform, and a real SSH server with the git of this host. */
abstract class ReleaseBench {
    static final String RELEASES = "/v1/project-releases";
    static final String HTTP = "@activepieces/piece-http";
    static GitServer git;
    static TestServer server;
    static SignedIn admin;
    SignedIn source;
    SignedIn target;

    @BeforeAll
    static void start() {
        git = GitServer.start();
        server = ServerSettings.openSignUpAndLocalCalls()
                .with("AP_GIT_SSH_PORT", Integer.toString(git.port()))
                .start();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        git.close();
    }

    @BeforeEach
    void makeProjects() {
        source = admin.inTeam("Development");
        target = admin.inTeam("Production");
    }

    static FlowScript answering(String text) {
        return FlowScript.webhook().returnJson("step_1", "{'says':'" + text + "'}");
    }

    /** A flow that authenticates with a connection, and responds to its caller. */
    static FlowScript connected(String connection, String text) {
        var input = Json.object()
                .put("auth", "{{connections['" + connection + "']}}")
                .put("method", "GET");
        return FlowScript.webhook()
                .returnJson("step_1", "{'says':'" + text + "'}")
                .piece("step_2", HTTP, "0.11.13", "send_request", input);
    }

    ObjectNode fromGit() {
        return Json.object().put("type", "GIT").put("projectId", target.projectId());
    }

    static Answer plan(ObjectNode request) {
        return admin.api().post(RELEASES + "/diff", request);
    }

    /** Advances the fixed clock, because releases are sorted by time. */
    static Answer release(ObjectNode request) {
        server.clock().advance(Duration.ofSeconds(1));
        return admin.api().post(RELEASES, request.put("name", "Week 12"));
    }

    static List<String> types(Answer plan, String list) {
        assertThat(plan.status()).as(plan.toString()).isEqualTo(200);
        return plan.body()
                .path(list)
                .valueStream()
                .map(change -> change.path("type").asText())
                .toList();
    }

    /** Flows of a project by external id. */
    static Map<String, JsonNode> flows(SignedIn project) {
        return admin.api()
                .get("/v1/flows?limit=100&projectId=" + project.projectId())
                .body()
                .path("data")
                .valueStream()
                .collect(Collectors.toMap(flow -> flow.path("externalId").asText(), flow -> flow));
    }

    static String answer(JsonNode flow) {
        return admin.api()
                .post("/v1/webhooks/" + flow.path("id").asText() + "/sync", Json.object())
                .text("/says");
    }

    static void makeConnection(SignedIn project, String externalId, String pieceName, String displayName) {
        var made = admin.api()
                .post(
                        "/v1/app-connections",
                        Json.object()
                                .put("projectId", project.projectId())
                                .put("externalId", externalId)
                                .put("displayName", displayName)
                                .put("pieceName", pieceName)
                                .put("type", "PLACEHOLDER"));
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
    }

    static JsonNode connections(SignedIn project) {
        return admin.api()
                .get("/v1/app-connections?projectId=" + project.projectId())
                .body()
                .path("data");
    }

    String keepInGit(SignedIn project, String remoteUrl, String branchType) {
        var kept = admin.api()
                .post(
                        "/v1/git-repos",
                        Json.object()
                                .put("projectId", project.projectId())
                                .put("remoteUrl", remoteUrl)
                                .put("branch", "main")
                                .put("branchType", branchType)
                                .put("sshPrivateKey", git.knownKey())
                                .put("slug", "shop"));
        assertThat(kept.status()).as(kept.toString()).isEqualTo(201);
        return "/v1/git-repos/" + kept.text("/id") + "/push";
    }

    static ObjectNode push(String type, String list, String... ids) {
        var push = Json.object().put("type", type).put("commitMessage", "By " + type);
        var array = push.putArray(list);
        List.of(ids).forEach(array::add);
        return push;
    }
}
