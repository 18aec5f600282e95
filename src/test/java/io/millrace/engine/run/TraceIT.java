package io.millrace.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Collector;
import io.millrace.support.outside.Outside;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Traces and log lines received by a collector: from a caller through the webhook and the steps to outgoing calls. */
final class TraceIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final Pattern OPEN_METRICS_EXAMPLE = Pattern.compile(
            "millrace_run_duration_seconds_bucket\\{status=\"SUCCEEDED\".* # \\{.*trace_id=\"" + TRACE + "\"");

    private static Collector collector;
    private static Outside outside;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        collector = Collector.start();
        outside = Outside.start();
        server = TestServer.startInRealTime(Map.of(
                "AP_ALLOW_OPEN_SIGN_UP",
                "true",
                "AP_SSRF_ALLOW_LIST",
                "127.0.0.1",
                "AP_OTEL_ENABLED",
                "true",
                "AP_OTEL_TRACES_ENABLED",
                "true",
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                collector.url(),
                "OTEL_EXPORTER_OTLP_HEADERS",
                "x-key=k%33y9",
                "OTEL_SERVICE_NAME",
                "mill",
                "AP_METRICS_TOKEN",
                "of metrics",
                "AP_RUN_MEMORY_MAX_MB",
                "8"));
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        outside.close();
        collector.close();
    }

    private static String scraped() {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                .header("Authorization", "Bearer of metrics")
                .header("Accept", "application/openmetrics-text")
                .build();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void call(LiveFlow flow, String traceId, String flags) {
        var answer = admin.api()
                .send(
                        "POST",
                        "/v1/webhooks/" + flow.id() + "/sync",
                        Map.of("traceparent", "00-" + traceId + "-" + CALLER + "-" + flags),
                        "{}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static JsonNode named(List<JsonNode> spans, String name) {
        return spans.stream()
                .filter(span -> span.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " among " + spans));
    }

    private static JsonNode childOf(List<JsonNode> spans, JsonNode parent) {
        return below(spans, id(parent));
    }

    private static JsonNode below(List<JsonNode> spans, String parentId) {
        return spans.stream()
                .filter(span -> parent(span).equals(parentId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing below " + parentId + " among " + spans));
    }

    private static String id(JsonNode span) {
        return span.path("spanId").asText();
    }

    private static String parent(JsonNode span) {
        return span.path("parentSpanId").asText();
    }

    @Test
    void oneTrace_fromTheCallerOverStepsToCallsOutsideAndOfFlows() {
        // given
        var called = LiveFlow.publish(admin, FlowScript.callable().returnToCaller("reply_1", "{'ok':true}"));
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook()
                        .http("ask_1", "GET", outside.url("/shop"))
                        .callFlow("call_1", called.externalId(), "{}", true)
                        .returnJson("answer_1", "{'ok':true}"));

        // when
        call(flow, TRACE, "01");

        // then caller, webhook, run, step, request; and the call of the other flow below its step
        var spans = collector.spansOf(
                TRACE, "webhook", "webhook", "run", "run", "ask_1", "GET", "call_1", "answer_1", "reply_1");
        var webhook = below(spans, CALLER);
        assertThat(webhook.path("kind").asInt()).isEqualTo(2);
        assertThat(Collector.attribute(webhook, "flow.id")).isEqualTo(flow.id());
        var run = childOf(spans, webhook);
        assertThat(Collector.attribute(run, "millrace.run.status")).isEqualTo("SUCCEEDED");
        for (var step : List.of("ask_1", "call_1", "answer_1")) {
            assertThat(parent(named(spans, step))).as(step).isEqualTo(id(run));
        }
        var request = named(spans, "GET");
        assertThat(parent(request)).isEqualTo(id(named(spans, "ask_1")));
        assertThat(Collector.attribute(request, "http.response.status_code")).isEqualTo("200");
        assertThat(outside.calls().getLast().traceparent()).isEqualTo("00-" + TRACE + "-" + id(request) + "-01");
        var innerWebhook = childOf(spans, named(spans, "call_1"));
        assertThat(Collector.attribute(innerWebhook, "flow.id")).isEqualTo(called.id());
        var innerRun = childOf(spans, innerWebhook);
        assertThat(Collector.attribute(innerRun, "flow.id")).isEqualTo(called.id());
        assertThat(parent(named(spans, "reply_1"))).isEqualTo(id(innerRun));
        assertThat(collector.refusals()).isEmpty();
        assertThat(collector.keys()).containsOnly("k3y9");

        // and the metrics link to the trace
        Waiting.until(
                "the trace is an example of how long runs take",
                () -> OPEN_METRICS_EXAMPLE.matcher(scraped()).find());
    }

    @Test
    void whatTheCallerDoesNotRecordIsPassedOnAndNotRecorded() {
        // given
        var unrecorded = TRACE.replace('4', '5');
        var recorded = TRACE.replace('4', '6');
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook().http("ask_2", "GET", outside.url("/quiet")).returnJson("answer_1", "{}"));

        // when
        call(flow, unrecorded, "00");
        call(flow, recorded, "01");

        // then the later one has arrived, and the earlier one never will
        collector.spansOf(recorded, "webhook", "run", "ask_2", "GET", "answer_1");
        assertThat(scraped()).doesNotContain(unrecorded);
        assertThat(collector.spans())
                .extracting(span -> span.path("traceId").asText())
                .doesNotContain(unrecorded);
        assertThat(outside.calls())
                .extracting(Outside.Received::traceparent)
                .anyMatch(header -> header.startsWith("00-" + unrecorded) && header.endsWith("-00"));
    }

    /** The run does not yield endlessly, and the span of the too large step is exported once. */
    @Test
    void stepOfARunThatIsTooLarge_isRecordedOnce() {
        // given
        var large = TRACE.replace('4', '7');
        var flow = LiveFlow.publish(
                admin, FlowScript.webhook().map("large_1", "{'v':1}").map("never_1", "{}"));
        var header = Map.of("traceparent", "00-" + large + "-" + CALLER + "-01");
        var body = Json.object().put("big", "x".repeat(1_700_000));

        // when
        var answer = admin.api().send("POST", "/v1/webhooks/" + flow.id(), header, Json.text(body));

        // then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        var spans = collector.spansOf(large, "webhook", "run", "large_1");
        assertThat(spans).hasSize(3);
        assertThat(named(spans, "large_1").at("/status/message").asText()).isEqualTo("MEMORY_LIMIT_EXCEEDED");
        assertThat(Collector.attribute(named(spans, "run"), "millrace.run.status"))
                .isEqualTo("MEMORY_LIMIT_EXCEEDED");
    }

    @Test
    void runWithoutACallerBeginsATrace_andItsFailureIsLogged() {
        // given
        var flow = LiveFlow.publish(admin, FlowScript.webhook().code("fail_1", "exports.code = () => { throw 'no' }"));

        // when
        admin.api().post("/v1/webhooks/" + flow.id(), Json.object());

        // then
        Waiting.until(
                "the span of the run",
                () -> collector.spans().stream()
                        .anyMatch(span ->
                                Collector.attribute(span, "millrace.run.status").equals("FAILED")));
        Waiting.until(
                "the line of the run",
                () -> collector.lines().stream()
                        .anyMatch(line -> Collector.attribute(line, "flow.id").equals(flow.id())));
        var failed = named(collector.spans(), "fail_1");
        assertThat(failed.at("/status/message").asText()).isEqualTo("FAILED");
        assertThat(failed.toString()).doesNotContain("throw");
        assertThat(collector.refusals()).isEmpty();
        assertThat(collector.resources())
                .allSatisfy(resource -> assertThat(Collector.attribute(resource, "service.name"))
                        .isEqualTo("mill"));
    }
}
