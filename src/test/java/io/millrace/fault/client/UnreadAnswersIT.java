package io.millrace.fault.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.RawHttp;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Callers that request megabytes and do not read them: the server buffers no more than its budget. */
@Slow(Slow.Reason.FAULT)
final class UnreadAnswersIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CALLERS = 32;
    private static final int ANSWER_BYTES = 4 << 20;

    /** JVM options that the start script derives for a machine of about 700 MB. */
    private static final List<String> SMALL =
            List.of("-Xmx256m", "-Xms88m", "-Xmn64m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");

    private static DataDirectory directory;
    private static ServerProcess server;
    private static PublishedFlow large;
    private static PublishedFlow small;

    @BeforeAll
    static void startServer() {
        directory = DataDirectory.prepared();
        server = ServerProcess.ofClasses(
                "io.millrace.Millrace",
                SMALL,
                List.of(),
                directory.path(),
                Map.of("AP_LOG_LEVEL", "warn", "AP_WEBHOOK_TIMEOUT_SECONDS", "30"));
        var api = server.api(START_DEADLINE);
        large = PublishedFlow.create(
                api,
                FlowScript.webhook()
                        .code("make", "export const code = async () => ({text: 'x'.repeat(" + ANSWER_BYTES + ")});")
                        .respondJson("answer", "{'text':'{{make.output.text}}'}")
                        .importOperation("Large")
                        .get("request"));
        small = large.inProjectOfItsOwn(FlowScript.webhook()
                .respondJson("answer", "{'done':true}")
                .importOperation("Small")
                .get("request"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
        directory.close();
    }

    @Test
    void answersOthers_whileWebhookCallersReadNothing() {
        var statuses = unread(
                "POST /api/v1/webhooks/" + large.flowId() + "/sync HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n");

        // A run that waits too long for its turn gets 408.
        assertThat(statuses).contains(200).isSubsetOf(200, 408, 503);
        assertWell();
    }

    @Test
    void answersOthers_whileApiCallersReadNothing() {
        var wordy = PublishedFlow.create(
                server.api(START_DEADLINE),
                FlowScript.webhook()
                        .respondJson("answer", "{'text':'" + "x".repeat(8 << 20) + "'}")
                        .importOperation("Wordy")
                        .get("request"));
        var statuses =
                unread("GET /api/v1/flows/" + wordy.flowId() + " HTTP/1.1\nHost: localhost\nAuthorization: Bearer "
                        + wordy.api().token() + "\n\n");

        assertThat(statuses).contains(200, 503).isSubsetOf(200, 503);
        assertWell();
    }

    private static ApiClient.Answer call(PublishedFlow flow, String variant) {
        return flow.api().post("/v1/webhooks/" + flow.flowId() + variant, Json.object());
    }

    /** Statuses of callers that read nothing more, while others are answered. */
    private static List<Integer> unread(String request) {
        var callers = new ArrayList<RawHttp>();
        try {
            for (var caller = 0; caller < CALLERS; caller++) {
                callers.add(
                        RawHttp.reluctant(server.port(START_DEADLINE), PATIENCE).send(request));
            }
            for (var call = 0; call < CALLERS; call++) {
                var answer = call(small, "/sync");
                assertThat(answer.status()).as(server.output()).isIn(200, 408, 429, 503);
            }
            // Lets clients read their first line.
            return callers.stream().map(caller -> caller.answer(false).status()).toList();
        } finally {
            callers.forEach(RawHttp::close);
        }
    }

    private static void assertWell() {
        assertThat(server.isAlive()).as(server.output()).isTrue();
        assertThat(call(small, "/sync").status()).isEqualTo(200);
    }
}
