package io.millrace.integration.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class AnalyticsIT {
    private static final String PATH = "/v1/analytics";

    @AutoClose
    private TestServer server = ServerSettings.openSignUp().start();

    private TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private LiveFlow flow(String response) {
        return LiveFlow.publish(ada, FlowScript.webhook().returnJson("step_1", response));
    }

    @Test
    void countsProductionRuns_andMarksAnOutdatedReport() {
        // Given
        var saving = flow("{'a':1}");
        server.clock().advance(Duration.ofSeconds(1));
        var other = flow("{'a':2}");
        var request = Json.object().put("type", "UPDATE_MINUTES_SAVED");
        request.putObject("request").put("timeSavedPerRun", 2.5);
        saving.operate(request);
        saving.callAndWait(Json.object());
        saving.callAndWait(Json.object());
        other.callAndWait(Json.object());
        saving.ended(2);
        other.ended(1);

        // When
        var report = ada.api().get(PATH);
        other.callAndWait(Json.object());
        other.ended(2);
        var early = ada.api().post(PATH + "/refresh", Json.object());
        server.clock().advance(Duration.ofMinutes(6));
        var old = ada.api().get(PATH + "?timePeriod=last-week");
        var fresh = ada.api().post(PATH + "/refresh", Json.object());

        // Then
        assertThat(report.status()).isEqualTo(200);
        assertThat(report.body().at("/runs").findValuesAsText("runs")).containsExactlyInAnyOrder("2", "1");
        assertThat(report.body().at("/runs/0/day").asText()).isEqualTo("2026-03-09");
        assertThat(report.body().at("/flows").findValuesAsText("flowId")).containsExactly(saving.id(), other.id());
        assertThat(report.body().at("/flows/0/timeSavedPerRun").asDouble()).isEqualTo(2.5);
        assertThat(report.body().at("/users").findValuesAsText("email")).containsExactly("ada@example.com");
        assertThat(report.body().at("/outdated").asBoolean()).isFalse();
        assertThat(early.text("/cachedAt")).isEqualTo(report.text("/cachedAt"));
        assertThat(old.body().at("/outdated").asBoolean()).isTrue();
        assertThat(old.body().at("/runs")).isEqualTo(report.body().at("/runs"));
        assertThat(fresh.body().at("/outdated").asBoolean()).isFalse();
        assertThat(fresh.body().at("/runs").findValuesAsText("runs")).containsExactly("2", "2");
        assertThat(fresh.text("/id")).isEqualTo(report.text("/id"));
        assertThat(ada.api()
                        .get(PATH + "/project-leaderboard?timePeriod=last-month")
                        .body())
                .isEqualTo(Json.trusted("[{\"projectId\":\"" + ada.projectId()
                        + "\",\"projectName\":\"Example's Project\",\"flowCount\":2,\"minutesSaved\":5}]"));
        assertThat(ada.api()
                        .get(PATH + "/user-leaderboard?timePeriod=last-month")
                        .body())
                .isEqualTo(Json.trusted("[{\"userId\":\"" + ada.userId() + "\",\"flowCount\":2,\"minutesSaved\":5}]"));
    }

    @Test
    void reportsFailuresAndDurations() {
        // Given
        var failing = LiveFlow.publish(
                ada,
                FlowScript.webhook().code("step_1", "export const code = async () => { throw new Error('broken'); };"));
        failing.call(Json.object());
        failing.ended(1);
        var good = flow("{'a':1}");
        good.callAndWait(Json.object());
        good.ended(1);

        // When
        var report = ada.api().get(PATH);

        // Then
        assertThat(report.body().at("/runs").findValuesAsText("failedRuns")).containsExactlyInAnyOrder("1", "0");
        assertThat(report.body().at("/runs").findValues("durationMs")).allMatch(each -> each.asLong() >= 0);
    }

    @Test
    void refusesUnknownPeriods_andOthersThanAdministrators() {
        var mel = server.signUp("mel@example.com", "Mel");

        assertThat(ada.api().get(PATH + "?timePeriod=ever").text("/message"))
                .startsWith("querystring/timePeriod Invalid");
        assertThat(ada.api().get(PATH + "/user-leaderboard").text("/message"))
                .startsWith("querystring/timePeriod Invalid");
        assertThat(mel.api().get(PATH).status()).isEqualTo(403);
    }
}
