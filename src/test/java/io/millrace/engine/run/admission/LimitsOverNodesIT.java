package io.millrace.engine.run.admission;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Concurrency and start-rate limits of a project or flow, enforced across two nodes: two, or the flow's limit. */
class LimitsOverNodesIT {
    private static final int LIMIT = 2;
    private static final int RUNS = 8;

    @AutoClose
    private static TestServer first = ServerSettings.localCalls()
            .with("AP_DEFAULT_CONCURRENT_JOBS_LIMIT", Integer.toString(LIMIT))
            .startInRealTime();

    private static TestServer.SignedIn owner = first.signUp("owner@example.com", "Olga");

    @AutoClose
    private static TestServer second = first.successor();

    @AutoClose
    private Outside outside = Outside.start();

    private FlowScript held() {
        return webhook().http("step_1", "GET", outside.url("/held"));
    }

    private static void send(LiveFlow flow, int count) {
        for (var n = 0; n < count; n++) {
            assertThat(flow.call(Json.object()).status()).isEqualTo(200);
        }
    }

    private static long with(LiveFlow flow, String status) {
        return flow.runs().stream()
                .filter(run -> run.path("status").asText().equals(status))
                .count();
    }

    private static boolean hasEnded(LiveFlow flow) {
        return flow.runs().stream().allMatch(run -> run.path("status").asText().equals("SUCCEEDED"));
    }

    @Test
    void executesNoMoreThanTheLimitAtBothTogether_andAllInTheEnd() {
        // given one node at the limit, and the same number of runs waiting at each
        var flow = LiveFlow.publish(owner, held());
        send(flow, LIMIT);
        outside.awaitCalls(LIMIT);
        send(flow, RUNS);
        send(flow.at(second), RUNS);
        Waiting.until("all but those wait", () -> with(flow, "QUEUED") == 2 * RUNS);

        // when the executing runs end, repeatedly
        for (var done = LIMIT; done < LIMIT + 2 * RUNS; done += LIMIT) {
            assertThat(outside.calls()).hasSize(done);
            outside.release();
            outside.awaitCalls(done + LIMIT);
        }

        // Then the limit was never exceeded, and both nodes have finished their runs
        outside.release();
        Waiting.until("all have ended", () -> hasEnded(flow));
        assertThat(outside.calls()).hasSize(LIMIT + 2 * RUNS);
    }

    @Test
    void takesWhatAnIdleNodeHas() {
        // given a node that has used all permits
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
        send(flow, RUNS);
        Waiting.until("all have ended", () -> hasEnded(flow));

        // when, then another one answers waiting callers
        for (var call = 0; call < RUNS; call++) {
            var answering = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'done':true}"));
            assertThat(answering.at(second).callAndWait(Json.object()).status()).isEqualTo(200);
            assertThat(answering.callAndWait(Json.object()).status()).isEqualTo(200);
        }
    }

    @Test
    void startsNoMoreRunsInAPeriodThanTheLimitOfTheFlow() {
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
        assertThat(owner.api()
                        .post("/v1/flows/" + flow.id() + "/limits", json("{'flow':{'starts':5,'periodSeconds':3600}}"))
                        .status())
                .isEqualTo(200);

        send(flow.at(second), 3);
        Waiting.until("three have ended", () -> with(flow, "SUCCEEDED") == 3);
        send(flow, 3);
        send(flow.at(second), 3);

        Waiting.until("five have ended and four wait", () -> with(flow, "SUCCEEDED") == 5 && with(flow, "QUEUED") == 4);
    }
}
