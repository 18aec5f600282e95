package io.millrace.fault.database;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A node keeps its lease and its runs while its other statements on them take long. */
@Slow(Slow.Reason.FAULT)
final class LeaseIT {
    @AutoClose
    private final ProxiedServer proxied = ProxiedServer.start();

    private final DatabaseSettings settings = proxied.database();
    private final TestServer server = proxied.server();
    private final Outside outside = proxied.outside();

    @Test
    void keepsItsLease_whileItsSweepWaits() {
        try (var lock = TableLock.of(settings, "run")) {
            // given a sweep that waits for a lock
            lock.awaitWaiting("update run");

            // then the node still renews its lease
            awaitRenewals(3);
        }
    }

    @Test
    void executesAStepOnce_whenATakeOverTakesLong() {
        // given a run whose owner has stopped in the middle of a step
        var flow = LiveFlow.publish(
                server.signUp("ada@example.com", "Ada"),
                webhook().http("step_1", "POST", outside.url("/held")).map("step_2", "{'done':true}"));
        flow.call(json("{}"));
        outside.awaitCalls(1);
        server.stopServer();
        outside.release();

        // when another node takes it over, and waits for its flow for more than two searches for lost runs
        TestServer second;
        var lock = TableLock.of(settings, "flow_version");
        try (lock) {
            second = server.successor();
            lock.awaitWaiting("flow_version");
            awaitRenewals(6);
            assertThat(server.count("select count(*) from run where fence = 1")).isEqualTo(1);
        }

        // then the new owner executes the step once
        try (second) {
            outside.awaitCalls(2);
            outside.release();
            var run = flow.at(second).ended(1);
            assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(outside.paths()).containsExactly("/held", "/held");
        }
    }

    private void awaitRenewals(int count) {
        for (var renewal = 0; renewal < count; renewal++) {
            var before = lease();
            Waiting.until("cannot renew the lease", () -> lease() > before);
        }
    }

    private long lease() {
        return server.count("select coalesce(max((extract(epoch from lease_until) * 1000)::bigint), 0) from node");
    }
}
