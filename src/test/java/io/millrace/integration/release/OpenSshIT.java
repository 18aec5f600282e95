package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.outside.GitServer;
import io.millrace.support.outside.OpenSshServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Projects in a repository behind OpenSSH, which most git servers use; skipped if it cannot be started. */
final class OpenSshIT {
    private static OpenSshServer git;
    private static TestServer server;
    private static SignedIn admin;

    @BeforeAll
    static void start() {
        assumeThat(OpenSshServer.missing())
                .as("missing prerequisite of sshd on this host")
                .isEmpty();
        git = OpenSshServer.start();
        server = ServerSettings.localCalls()
                .with("AP_GIT_SSH_PORT", Integer.toString(git.port()))
                .start();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (git != null) {
            git.close();
        }
    }

    private static Answer keep(SignedIn project, String url, String key) {
        return admin.api()
                .post(
                        "/v1/git-repos",
                        Json.object()
                                .put("projectId", project.projectId())
                                .put("remoteUrl", url)
                                .put("branch", "main")
                                .put("branchType", "PRODUCTION")
                                .put("sshPrivateKey", key)
                                .put("slug", "shop"));
    }

    private static Answer push(String repositoryId) {
        var request = Json.object().put("type", "PUSH_EVERYTHING").put("commitMessage", "Keep it");
        return admin.api().post("/v1/git-repos/" + repositoryId + "/push", request);
    }

    private static ObjectNode fromGit(SignedIn target) {
        return Json.object()
                .put("type", "GIT")
                .put("projectId", target.projectId())
                .put("name", "From git");
    }

    @Test
    void carriesAProjectThroughARepository_andTrustsNoOtherHostKey() {
        // Given
        var source = admin.inTeam("Development");
        var target = admin.inTeam("Production");
        var name = Ids.next();
        var url = git.repository(name);
        var key = git.knownKey();
        var flow = LiveFlow.publish(source, FlowScript.webhook().returnJson("step_1", "{'says':'one'}"));

        // When
        var kept = keep(source, url, key);
        var pushed = push(kept.text("/id"));

        // Then
        assertThat(kept.status()).as(kept.toString()).isEqualTo(201);
        assertThat(pushed.status()).as(pushed.toString()).isEqualTo(200);
        assertThat(git.git(name, "log", "--format=%an %s", "main")).isEqualTo("Ada Miller Keep it");
        assertThat(git.git(name, "ls-tree", "-r", "--name-only", "main"))
                .isEqualTo("shop/flows/" + flow.externalId() + ".json");

        // When
        assertThat(keep(target, url, key).status()).isEqualTo(201);
        var released = admin.api().post("/v1/project-releases", fromGit(target));

        // Then
        assertThat(released.status()).as(released.toString()).isEqualTo(200);
        assertThat(admin.api().get("/v1/flows?projectId=" + target.projectId()).text("/data/0/externalId"))
                .isEqualTo(flow.externalId());

        // When
        git.changeHostKey();

        // Then
        assertAnotherHostKey(keep(source, url, key));
        assertAnotherHostKey(push(kept.text("/id")));
        assertAnotherHostKey(admin.api().post("/v1/project-releases", fromGit(target)));
        assertThat(git.git(name, "rev-list", "--count", "main")).isEqualTo("1");

        // When: an administrator deletes the repository and registers it again
        assertThat(admin.api().delete("/v1/git-repos/" + kept.text("/id")).status())
                .isEqualTo(204);
        var again = keep(source, url, key);

        // Then
        assertThat(again.status()).as(again.toString()).isEqualTo(201);
        assertThat(push(again.text("/id")).status()).isEqualTo(200);
    }

    private static void assertAnotherHostKey(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.text("/code")).isEqualTo("INVALID_GIT_CREDENTIALS");
        assertThat(answer.text("/params/message")).contains("host key of the git server has changed");
    }

    @Test
    void letsNoUnknownKeyIn() {
        // Given
        var project = admin.inTeam("Stranger");

        // When
        var answer = keep(project, git.repository(Ids.next()), GitServer.unknownKey());

        // Then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/params/message")).contains("rejected the SSH key");
    }
}
