package io.millrace.engine.run.ending;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Attempts of runs that were retried. */
class RunAttemptsIT {
    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    private FlowScript broken() {
        return webhook().http("step_1", "POST", outside.url("/broken"));
    }

    private String failedRun(LiveFlow flow) {
        var run = flow.run(json("{}"));
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        return run.path("id").asText();
    }

    private JsonNode retry(String runId, String strategy) {
        var answer = owner.api()
                .post(
                        "/v1/flow-runs/" + runId + "/retry",
                        Json.object().put("projectId", owner.projectId()).put("strategy", strategy));
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    private JsonNode attempts(String runId) {
        return owner.api().get("/v1/flow-runs/" + runId + "/attempts").body().path("data");
    }

    @Test
    void aRetryFromTheFailedStep_keepsTheEndOfTheAttempt() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        assertThat(attempts(runId)).isEmpty();
        var failed = flow.run(runId);
        server.clock().advance(Duration.ofMinutes(1));

        // When
        retry(runId, "FROM_FAILED_STEP");
        outside.awaitCalls(2);
        flow.ended(1);
        outside.repair();
        retry(runId, "FROM_FAILED_STEP");
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");

        // Then
        var attempts = attempts(runId);
        assertThat(attempts).hasSize(2);
        var first = attempts.get(0);
        assertThat(first.path("runId").asText()).isEqualTo(runId);
        assertThat(first.path("attemptRunId").asText()).isEqualTo(runId);
        assertThat(first.path("status").asText()).isEqualTo("FAILED");
        assertThat(first.path("startTime")).isEqualTo(failed.path("startTime"));
        assertThat(first.path("finishTime")).isEqualTo(failed.path("finishTime"));
        assertThat(first.path("failedStep")).isEqualTo(failed.path("failedStep"));
        assertThat(first.path("retriedBy").asText()).isEqualTo(owner.userId());
        assertThat(first.path("retriedByName").asText()).startsWith("Ada");
        assertThat(attempts.get(1).path("startTime")).isEqualTo(first.path("retriedAt"));
    }

    @Test
    void aRetryOnTheLatestVersion_isListedForBothRuns() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        outside.repair();

        // When
        var retryId = retry(runId, "ON_LATEST_VERSION").path("id").asText();

        // Then
        var attempts = attempts(retryId);
        assertThat(attempts).hasSize(1);
        assertThat(attempts.at("/0/attemptRunId").asText()).isEqualTo(runId);
        assertThat(attempts.at("/0/runId").asText()).isEqualTo(retryId);
        assertThat(attempts.at("/0/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(attempts(runId)).isEqualTo(attempts);
    }
}
