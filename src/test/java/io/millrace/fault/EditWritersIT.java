package io.millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Users of the flow editor behind a proxy that drops one response of five: each edit is in the flow once. */
@Slow(Slow.Reason.FAULT)
class EditWritersIT {
    private static final double DROPPED = 0.2;
    private static final int DROPPED_MIN = 20;
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    @Test
    void findsEachEditOnce_whenAnswersAreLost() throws IOException {
        try (var server = TestServer.startInRealTime(Map.of());
                var proxy = new FrontProxy(
                        () -> List.of(Optional.of(URI.create("http://127.0.0.1:" + server.port() + "/api"))),
                        DROPPED,
                        1)) {
            var ada = server.signUp("ada@example.com", "Ada");
            var flow = new PublishedFlow(ada.api(), ada.projectId(), "none")
                    .beside(FlowScript.webhook().importOperation("Other").path("request"));
            var started = EditWriters.of(flow, proxy.base(), 1);
            assumeTrue(started.isPresent(), "there is no Node.js");
            try (var writers = started.get()) {
                writers.start();
                Waiting.until("answers were dropped", DEADLINE, () -> proxy.dropped() >= DROPPED_MIN);
                writers.end();
                Waiting.until("the writers have ended", DEADLINE, writers::haveEnded);

                var reckoning = writers.reckon(server.anonymous());

                assertThat(reckoning.isClean()).as(reckoning.text()).isTrue();
                assertThat(reckoning.complaints()).isEmpty();
            }
        }
    }
}
