package io.millrace.workspace.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The number of team projects of a platform is bounded (AP_TEAM_PROJECTS_MAX). */
final class TeamProjectsLimitIT {
    @AutoClose
    private final TestServer server =
            ServerSettings.openSignUp().with("AP_TEAM_PROJECTS_MAX", "2").start();

    @Test
    void createsAsManyTeamProjectsAsAllowed_andAnotherOnceOneIsDeleted() {
        // Given
        var admin = server.signUp("ada@example.com", "Ada");
        var first = admin.api().post("/v1/projects", Json.object().put("displayName", "First"));
        var second = admin.api().post("/v1/projects", Json.object().put("displayName", "Second"));

        // When
        var third = admin.api().post("/v1/projects", Json.object().put("displayName", "Third"));
        admin.api().delete("/v1/projects/" + first.text("/id"));
        var instead = admin.api().post("/v1/projects", Json.object().put("displayName", "Third"));

        // Then
        assertThat(second.status()).isEqualTo(201);
        assertThat(third.status()).isEqualTo(409);
        assertThat(third.text("/params/message")).contains("expected fewer than 2", "found 2", "AP_TEAM_PROJECTS_MAX");
        assertThat(instead.status()).isEqualTo(201);
        assertThat(server.signUp("bob@example.com", "Bob").projectId()).isNotBlank();
    }
}
