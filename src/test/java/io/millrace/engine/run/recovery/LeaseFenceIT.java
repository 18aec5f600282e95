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

/** Steps whose node loses its lease after they have begun and before their request is sent. */
class LeaseFenceIT {
    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_OUTBOUND_CONNECTIONS_PER_HOST_MAX", "1")
            .start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    private LiveFlow calling(String path) {
        return LiveFlow.publish(owner, webhook().http("step_1", "POST", outside.url(path)));
    }

    @Test
    void sendsNothing_whenAnotherNodeTookTheRunWhileItWaitedForAConnection() {
        // given a call that occupies the only connection, and one that waits for it
        var first = calling("/held");
        first.call(json("{}"));
        outside.awaitCalls(1);
        var second = calling("/taken");
        second.call(json("{}"));
        Waiting.until(
                "the second run executes",
                () -> server.count("select count(*) from run where flow_id = $1 and status = 'RUNNING'", second.id())
                        == 1);

        // when the node cannot renew its lease, and another one takes over the run
        server.blockLeaseRenewals();
        Waiting.until(
                "the lease has not been renewed for longer than it lasts",
                () -> server.hasNotRenewedItsLease(LeaseEpochs.SILENCE, LeaseEpochs.LEASE));
        server.execute("insert into node (id, lease_until) values ('other', 'infinity')");
        server.execute("update run set owner = 'other', fence = fence + 1 where flow_id = '" + second.id() + "'");
        outside.release();
        server.permitLeaseRenewals();

        // then a later call on the same connection arrives, and that of the lost run does not
        calling("/later").run(json("{}"));
        assertThat(outside.paths()).doesNotContain("/taken").contains("/held", "/later");
        assertThat(server.count("select count(*) from run where owner = 'other' and fence = 1"))
                .isEqualTo(1);
        assertThat(server.count(
                        "select count(*) from run_step where run_id in (select id from run where owner = 'other')"))
                .isZero();
    }

    @Test
    void executesTheStepOnce_whenTheLeaseLapsedWithoutATakeover() {
        // Given
        var first = calling("/held");
        first.call(json("{}"));
        outside.awaitCalls(1);
        var second = calling("/waiting");
        second.call(json("{}"));
        Waiting.until(
                "the second run executes",
                () -> server.count("select count(*) from run where flow_id = $1 and status = 'RUNNING'", second.id())
                        == 1);

        // When
        server.blockLeaseRenewals();
        Waiting.until(
                "the lease has not been renewed for longer than it lasts",
                () -> server.hasNotRenewedItsLease(LeaseEpochs.SILENCE, LeaseEpochs.LEASE));
        outside.release();
        server.permitLeaseRenewals();

        // Then
        assertThat(second.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsOnlyOnce("/waiting");
    }
}
