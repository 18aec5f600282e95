package io.millrace.integration.git;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.GitServer;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repositories of projects over HTTP, with a real SSH server. */
final class GitRepoIT {
    private static final String REPOS = "/v1/git-repos";

    @AutoClose
    private static GitServer git = GitServer.start();

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_GIT_SSH_PORT", Integer.toString(git.port()))
            .with("AP_GIT_TIMEOUT_SECONDS", "15")
            .start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    private TestServer.SignedIn team;
    private String key;
    private String url;

    @BeforeEach
    void makeProject() {
        team = admin.inTeam("Team");
        key = git.knownKey();
        url = git.repository(Ids.next());
    }

    private ObjectNode request() {
        return Json.object()
                .put("projectId", team.projectId())
                .put("remoteUrl", url)
                .put("branch", "main")
                .put("branchType", "PRODUCTION")
                .put("sshPrivateKey", key)
                .put("slug", "orders");
    }

    private int saved(ObjectNode request) {
        return admin.api().post(REPOS, request).status();
    }

    @Test
    void keepsOneRepositoryForAProject_andNeverShowsItsKey() {
        // When
        var first = admin.api().post(REPOS, request());
        var second = admin.api().post(REPOS, request().put("branch", "next").without(List.of("branchType")));
        var listed = admin.api().get(REPOS + "?projectId=" + team.projectId());

        // Then
        assertThat(first.status()).as(first.toString()).isEqualTo(201);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(second.text("/branchType")).isEqualTo("DEVELOPMENT");
        assertThat(listed.body().path("data")).hasSize(1).first().isEqualTo(second.body());
        assertThat(listed.body().path("next").isNull()).isTrue();
        assertThat(listed.body().toString()).doesNotContain("sshPrivateKey", "PRIVATE");
        assertThat(server.count("select count(*) from git_repo where position('PRIVATE'::bytea in sealed_key) > 0"))
                .isZero();
    }

    @Test
    void refusesWhatThePatternsRefuse_namingTheField() {
        for (var bad :
                List.of("https://git.example.com/a", "git@host:", "git@ho st:a", "root@host:a", "git@host:a b")) {
            assertRefused(request().put("remoteUrl", bad), "body/remoteUrl invalidGitRepoRemoteUrl");
        }
        for (var bad : List.of("", "-x", "a b", "a..b", "a.lock", "/a", "x".repeat(256))) {
            assertRefused(request().put("branch", bad), "body/branch invalidGitRepoBranch");
        }
        for (var bad : List.of("", ".", "..", "a/b", "../a", ".git", ".GIT", "x".repeat(129))) {
            assertRefused(request().put("slug", bad), "body/slug invalidGitRepoSlug");
        }
        assertRefused(request().put("sshPrivateKey", ""), "body/sshPrivateKey Too small");
        assertRefused(request().put("branchType", "STAGING"), "body/branchType Invalid option");
        assertRefused(Json.object().put("projectId", team.projectId()), "body/slug Invalid input: expected string");
        assertThat(server.count("select count(*) from git_repo where project_id = $1", team.projectId()))
                .isZero();
    }

    private static void assertRefused(ObjectNode request, String text) {
        var answer = admin.api().post(REPOS, request);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/message")).contains(text);
    }

    @Test
    void refusesWhenTheRemoteDoes_andKeepsWhatWas() {
        // Given
        assertThat(saved(request())).isEqualTo(201);

        // When, Then
        assertGitRefused(request().put("sshPrivateKey", GitServer.unknownKey()), "rejected the SSH key");
        assertGitRefused(request().put("sshPrivateKey", "hunter2"), "sshPrivateKey");
        assertGitRefused(request().put("remoteUrl", "git@127.0.0.1:nowhere.git"), "no such repository");
        assertGitRefused(request().put("remoteUrl", "git@127.0.0.2:a.git"), "blocked");
        assertGitRefused(request().put("remoteUrl", "git@2130706434:a.git"), "blocked");
        assertGitRefused(request().put("remoteUrl", "git@no-such-host.invalid:a.git"), "no-such-host.invalid");
        assertThat(admin.api().get(REPOS + "?projectId=" + team.projectId()).text("/data/0/remoteUrl"))
                .isEqualTo(url);
    }

    private static void assertGitRefused(ObjectNode request, String text) {
        var answer = admin.api().post(REPOS, request);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/code")).isEqualTo("INVALID_GIT_CREDENTIALS");
        assertThat(answer.text("/params/message")).contains(text);
    }

    @Test
    void trustsTheFirstHostKeyOnly_untilTheRepositoryIsForgotten() {
        // Given
        var id = admin.api().post(REPOS, request()).text("/id");
        git.changeHostKey();

        // When, Then
        assertGitRefused(request(), "host key of the git server has changed");

        // When
        var deleted = admin.api().delete(REPOS + "/" + id);
        var again = admin.api().delete(REPOS + "/" + id);

        // Then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(again.status()).isEqualTo(404);
        assertThat(saved(request())).isEqualTo(201);
    }

    @Test
    void givesUpOnAServerThatDoesNotAnswer() {
        git.hang(true);
        try {
            assertGitRefused(request(), "did not finish within 15 s");
        } finally {
            git.hang(false);
        }
        assertThat(saved(request())).isEqualTo(201);
    }

    @Test
    void isOnlyForThoseWhoMayReleaseTheProject() {
        // Given
        var viewer = server.signUp("vera@example.com", "Vera");
        var foreign = server.foreignProject();
        assertThat(saved(request())).isEqualTo(201);

        // When, Then
        assertThat(viewer.api().post(REPOS, request()).status()).isEqualTo(403);
        assertThat(viewer.api().get(REPOS + "?projectId=" + team.projectId()).status())
                .isEqualTo(403);
        assertThat(admin.api().post(REPOS, request().put("projectId", foreign)).status())
                .isEqualTo(403);
        assertThat(server.anonymous().post(REPOS, request()).status()).isEqualTo(403);
    }
}
