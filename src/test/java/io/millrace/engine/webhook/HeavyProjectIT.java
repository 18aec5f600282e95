package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Isolation of a project from another one whose runs do not end. */
class HeavyProjectIT {
    private static final int BACKLOG_MAX = 50;

    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "2")
            .with("AP_WEBHOOK_BACKLOG_MAX", Integer.toString(BACKLOG_MAX))
            .with("AP_EVENT_LOOPS", "1")
            .startInRealTime();

    @Test
    void isRefusedBeforeTheBacklogIsFull_andTheOtherProjectIsAnswered() {
        var heavy = LiveFlow.publish(
                server.signUp("heavy@example.com", "Hector"), webhook().http("step_1", "GET", outside.url("/held")));
        var other = LiveFlow.publish(
                server.signUp("other@example.com", "Olga"), webhook().returnJson("step_1", "{'done':true}"));

        // when
        var accepted = 0;
        while (heavy.call(Json.object()).status() == 200) {
            accepted++;
        }

        // then
        assertThat(accepted).isGreaterThanOrEqualTo(BACKLOG_MAX * 4 / 5).isLessThan(BACKLOG_MAX);
        assertThat(heavy.call(Json.object()).status()).isEqualTo(429);
        assertThat(other.callAndWait(Json.object()).status()).isEqualTo(200);

        // when the runs of the heavy project end, its calls are accepted again
        Waiting.until("its calls are accepted", () -> {
            outside.release();
            return heavy.call(Json.object()).status() == 200;
        });
    }
}
