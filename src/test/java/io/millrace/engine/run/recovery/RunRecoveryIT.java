package io.millrace.engine.run.recovery;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs that lose their owner: recorded steps are not repeated, steps in flight are, with the same key. */
class RunRecoveryIT {
    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    private LiveFlow twoCalls() {
        return LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'n':'{{trigger.output.body.n}}'}")
                        .http("step_2", "POST", outside.url("/first"))
                        .http("step_3", "POST", outside.url("/held"))
                        .map("step_4", "{'n':'{{step_1.output.n}}','ok':'{{step_2.output.body.ok}}'}"));
    }

    @Test
    void recordsEachImpureStep_beforeTheNextBegins() {
        // Given
        var flow = twoCalls();

        // When
        var accepted = flow.call(json("{'n':7}"));
        outside.awaitCalls(2);

        // Then
        assertThat(accepted.status()).isEqualTo(200);
        assertThat(server.count("select count(*) from run where flow_id = $1 and status = 'RUNNING'", flow.id()))
                .isEqualTo(1);
        assertThat(server.count("select count(*) from run_step where path in ('step_1', 'step_2')"))
                .isEqualTo(2);
        var live = flow.newest();
        assertThat(live.path("status").asText()).isEqualTo("RUNNING");
        assertThat(live.at("/steps/step_2/status").asText()).isEqualTo("SUCCEEDED");

        // When
        outside.release();
        var run = flow.ended(1);

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(server.count("select count(*) from run")).isZero();
        assertThat(server.count("select count(*) from run_step")).isZero();
    }

    @Test
    void carriesARunOn_whenItsServerHasStoppedInTheMiddle() {
        // Given
        var flow = twoCalls();
        flow.call(json("{'n':7}"));
        outside.awaitCalls(2);

        // When
        server.stopServer();
        try (var second = server.successor()) {
            outside.awaitCalls(3);
            outside.release();
            var run = flow.at(second).ended(1);

            // Then
            assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(run.at("/steps/step_4/output")).isEqualTo(json("{'n':7,'ok':true}"));
            assertThat(run.path("stepsCount").asInt()).isEqualTo(4);
            assertThat(outside.paths()).containsExactly("/first", "/held", "/held");
            assertThat(outside.calls().get(1).idempotencyKey()).isNotNull();
            assertThat(outside.calls().get(2).idempotencyKey())
                    .isEqualTo(outside.calls().get(1).idempotencyKey());
            assertThat(server.count("select count(*) from ended_run")).isEqualTo(1);
            assertThat(server.count("select count(*) from run")).isZero();
        }
    }

    @Test
    void writesNothing_whenAnotherNodeHasTakenTheRun() {
        // Given
        var flow = twoCalls();
        flow.call(json("{'n':7}"));
        outside.awaitCalls(2);
        server.execute("insert into node (id, lease_until) values ('other', 'infinity')");
        server.execute("update run set owner = 'other', fence = fence + 1");

        // When
        outside.release();
        var next = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        next.run(json("{}"));

        // then the response of the held call has arrived, and changed nothing
        assertThat(server.count("select count(*) from run where owner = 'other' and fence = 1"))
                .isEqualTo(1);
        assertThat(server.count("select count(*) from run_step where path = 'step_3'"))
                .isZero();
        assertThat(server.count("select count(*) from ended_run where flow_id = $1", flow.id()))
                .isZero();
    }

    @Test
    void takesTheRunBack_whenTheOtherNodeDiesInItsTurn() {
        // given this node's own actor, which still waits for the held call with an outdated fence
        var flow = twoCalls();
        flow.call(json("{'n':7}"));
        outside.awaitCalls(2);
        assertThat(metrics()).contains("millrace_runs{status=\"RUNNING\"} 1", "millrace_runs_orphaned 0");
        server.execute("update run set owner = 'dead', fence = fence + 1");

        // when the sweep claims the run for this node
        outside.awaitCalls(3);
        outside.release();
        var run = flow.ended(1);

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/first", "/held", "/held");
        assertThat(server.count("select count(*) from ended_run")).isEqualTo(1);
        assertThat(metrics()).contains("millrace_runs{status=\"RUNNING\"} 0", "millrace_runs_orphaned 0");
    }

    private String metrics() {
        var answer = owner.api().get("/v1/metrics");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().asText();
    }

    @Test
    void endsAsFailed_whenTheFlowVersionIsGone() {
        // Given
        var flow = twoCalls();
        flow.call(json("{'n':7}"));
        outside.awaitCalls(2);

        // When
        server.execute("update run set owner = 'dead', fence = fence + 1, flow_version_id = 'gone'");

        // Then
        Waiting.until(
                "the run has ended", () -> server.count("select count(*) from ended_run where status = 'FAILED'") == 1);
    }

    @Test
    void triesARunAgainThatBroke_andKeepsWhatItHadRecorded() {
        // given a database that rejects one result, for which no step is responsible
        var flow = twoCalls();
        server.execute("alter table run_step add constraint refused check (path <> 'step_3')");
        flow.call(json("{'n':7}"));
        outside.awaitCalls(2);
        outside.release();

        // When
        Waiting.until(
                "the run has broken",
                () -> server.count("select count(*) from ended_run where status = 'INTERNAL_ERROR'") == 1);
        var broken = flow.runs().getFirst();
        server.execute("alter table run_step drop constraint refused");
        outside.awaitCalls(3);
        outside.release();

        // Then
        Waiting.until(
                "the run has ended well",
                () -> server.count("select count(*) from ended_run where status = 'SUCCEEDED'") == 1);
        var run = flow.run(broken.path("id").asText());
        assertThat(broken.at("/internalError/source").asText()).isEqualTo("ENGINE");
        assertThat(run.path("stepsCount").asInt()).isEqualTo(4);
        assertThat(outside.paths()).containsExactly("/first", "/held", "/held");
        assertThat(server.count("select count(*) from ended_run")).isEqualTo(1);
    }
}
