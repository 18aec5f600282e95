package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rate limits of the API by caller and by address, and their effect on other callers. */
final class ApiRateLimitIT {
    private static final int CALLER_MAX = 12;
    private static final int ADDRESS_MAX = 40;
    private static final String ME = "/v1/users/me";
    private static final String FLAGS = "/v1/flags";

    private static TestServer server;
    private static TestServer.SignedIn ada;
    private static LiveFlow flow;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of(
                "AP_ALLOW_OPEN_SIGN_UP",
                "true",
                "AP_API_RATE_LIMIT_CALLER_MAX",
                Integer.toString(CALLER_MAX),
                "AP_API_RATE_LIMIT_ADDRESS_MAX",
                Integer.toString(ADDRESS_MAX),
                "AP_API_RATE_LIMIT_WINDOW",
                "30 seconds"));
        ada = server.signUp("ada@example.com", "Ada");
        flow = LiveFlow.publish(ada, FlowScript.webhook().returnJson("answer_1", "{'ok':true}"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void nextWindow() {
        server.clock().advance(Duration.ofSeconds(31));
    }

    private static List<Integer> statuses(int times, Supplier<Answer> ask) {
        var statuses = new ArrayList<Integer>();
        for (var i = 0; i < times; i++) {
            statuses.add(ask.get().status());
        }
        return statuses;
    }

    private static Answer from(String address, ApiClient api, String method, String path) {
        return api.send(method, path, Map.of("X-Real-IP", address), method.equals("GET") ? "" : "{}");
    }

    @Test
    void refusesACallerWithTooManyRequests_only() {
        // given
        var request = Json.object().put("displayName", "robot");
        var key = ada.api().with(ada.api().post("/v1/api-keys", request).text("/value"));
        var bob = server.signUp("bob@example.com", "Bob");

        // when
        var admitted = statuses(CALLER_MAX - 1, () -> ada.api().get(ME));
        var refused = ada.api().get(ME);

        // then
        assertThat(admitted).containsOnly(200);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("30");
        assertThat(refused.body().path("statusCode").asInt()).isEqualTo(429);
        assertThat(refused.text("/error")).isEqualTo("Too Many Requests");
        assertThat(refused.text("/message")).isEqualTo("Rate limit exceeded, retry in 30 seconds");
        assertThat(bob.api().get(ME).status()).isEqualTo(200);
        assertThat(statuses(CALLER_MAX, () -> key.get("/v1/projects"))).containsOnly(200);
        assertThat(key.get("/v1/projects").status()).isEqualTo(429);

        // when
        nextWindow();

        // then
        assertThat(ada.api().get(ME).status()).isEqualTo(200);
    }

    @Test
    void refusesAnAddressThatAsksTooOften_andNoOther() {
        // given
        var loud = "192.0.2.1";
        var nobody = server.anonymous();

        // when
        var admitted = statuses(ADDRESS_MAX, () -> from(loud, nobody, "GET", FLAGS));
        var refused = from(loud, nobody, "GET", FLAGS);

        // then
        assertThat(admitted).containsOnly(200);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("30");
        assertThat(from("192.0.2.2", nobody, "GET", FLAGS).status()).isEqualTo(200);

        // when a caller with a token and the same address sends a write
        var before = server.count("select count(*) from folder");
        var known = ada.api()
                .send(
                        "POST",
                        "/v1/folders",
                        Map.of("X-Real-IP", loud),
                        Json.text(
                                Json.object().put("projectId", ada.projectId()).put("displayName", "Late")));

        // then
        assertThat(known.status()).isEqualTo(429);
        assertThat(server.count("select count(*) from folder")).isEqualTo(before);
        assertThat(ada.api().get("/v1/metrics").body().asText())
                .contains("millrace_api_refusals_total{limit=\"ADDRESS\"} 2.0");
    }

    @Test
    void countsNoCallsOfFlows() {
        // when
        var path = "/v1/webhooks/" + flow.id() + "/sync";
        var statuses = statuses(ADDRESS_MAX + 10, () -> from("192.0.2.3", server.anonymous(), "POST", path));

        // then
        assertThat(statuses).containsOnly(200);
        assertThat(from("192.0.2.3", server.anonymous(), "GET", FLAGS).status()).isEqualTo(200);
    }
}
