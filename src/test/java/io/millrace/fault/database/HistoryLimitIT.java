package io.millrace.fault.database;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Concurrent re-decisions of a project (AP_REDECISIONS_MAX), held in progress by a lock of the runs that they read. */
@Slow(Slow.Reason.FAULT)
final class HistoryLimitIT {
    /** The default. */
    private static final int REQUESTS_MAX = 1;

    private static final String BODY = "{\"version\":\"published\"}";

    @AutoClose
    private final ProxiedServer proxied = ProxiedServer.start();

    @AutoClose
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void refusesOneTooMany_untilAnotherHasEnded() throws IOException {
        var owner = proxied.server().signUp("ada@example.com", "Ada");
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'a':1}"));
        flow.run(json("{}"));
        var path = "/v1/flows/" + flow.id() + "/redecide";
        var body = Json.trusted(BODY);

        var begun = new ArrayList<HttpResponse<InputStream>>();
        try (var lock = TableLock.of(proxied.database(), "ended_run")) {
            for (var request = 0; request < REQUESTS_MAX; request++) {
                begun.add(begin(owner, path));
            }
            assertThat(begun).allMatch(response -> response.statusCode() == 200);
            lock.awaitWaiting("ended_run");

            var refused = owner.api().post(path, body);

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.toString()).contains("AP_REDECISIONS_MAX");
        }
        for (var response : begun) {
            try (var events = response.body()) {
                assertThat(new String(events.readAllBytes(), UTF_8)).contains("event: result");
            }
        }
        Waiting.until("a place is free", () -> owner.api().post(path, body).status() == 200);
    }

    /** Completes with the head of the response, when the request has its place. */
    private HttpResponse<InputStream> begin(SignedIn owner, String path) {
        var request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + proxied.server().port() + "/api" + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + owner.api().token())
                .POST(HttpRequest.BodyPublishers.ofString(BODY))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
                .join();
    }
}
