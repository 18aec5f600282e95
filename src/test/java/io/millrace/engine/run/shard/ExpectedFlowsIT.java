package io.millrace.engine.run.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.engine.webhook.WebhookVerticle;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.RecordedLog;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that prepares its flows at the start (AP_PREWARM_CACHE_ON_STARTUP). */
class ExpectedFlowsIT {
    private static final Map<String, String> PREWARMED = Map.of("AP_PREWARM_CACHE_ON_STARTUP", "true");

    private final TestServer before = TestServer.start();
    private TestServer server;

    @AfterEach
    void stop() {
        server.close();
        before.close();
    }

    @Test
    void readsNothingFromTheDatabase_atTheFirstCallOfAnExpectedFlow() {
        // Given
        var owner = before.signUp("owner@example.com", "Olga");
        var flow = LiveFlow.publish(owner, FlowScript.webhook().returnJson("answer", "{'made': 'before'}"));
        var broken = LiveFlow.publish(owner, FlowScript.webhook().returnJson("answer", "{}"));
        LiveFlow.draft(owner, FlowScript.webhook());
        before.execute("update flow_version set trigger = 'null' where flow_id = $1", broken.id());
        before.stopServer();

        // When
        var told = startedReady();
        server.execute("update flow_version set trigger = 'null'");

        // Then
        var answer = flow.at(server).callAndWait(Json.object());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("made").asText()).isEqualTo("before");
        assertThat(told).allMatch(line -> line.endsWith(" 1 enabled flows"));
    }

    @Test
    void expectsNothing_whenItIsNotAskedTo() {
        // Given
        var flow = LiveFlow.publish(
                before.signUp("owner@example.com", "Olga"), FlowScript.webhook().returnJson("answer", "{}"));
        before.stopServer();

        // When
        try (var log = RecordedLog.of(RunVerticle.class.getName())) {
            server = before.successor();

            // Then
            assertThat(flow.at(server).callAndWait(Json.object()).status()).isEqualTo(200);
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void hasAWorkerBeforeTheFirstCall_whenCodeThatNeedsOneIsPublishedAndAfterTheStart() {
        // Given
        var owner = before.signUp("owner@example.com", "Olga");
        var inServer = FlowScript.webhook()
                .code("step_1", "export const code = async () => 1;")
                .returnJson("step_2", "{'n':'{{step_1.output}}'}");
        assertThat(LiveFlow.publish(owner, inServer)
                        .callAndWait(Json.object())
                        .body()
                        .path("n")
                        .asInt())
                .isEqualTo(1);
        assertThat(workers(owner.api())).isZero();

        // When
        LiveFlow.publish(owner, FlowScript.webhook().code("step_1", "export const code = async () => console.log(1);"));

        // Then
        Waiting.until("a worker is ready", () -> workers(owner.api()) == 1);

        // When
        before.stopServer();
        server = before.successor();

        // Then
        Waiting.until("a worker is ready", () -> workers(owner.api().at(server)) == 1);
    }

    @Test
    void startsNoWorker_whenAllStoredProgramsRunInTheServer() {
        // given
        var owner = before.signUp("owner@example.com", "Olga");
        var flow = LiveFlow.publish(
                owner,
                FlowScript.webhook()
                        .code("step_1", "export const code = async () => 1;")
                        .returnJson("step_2", "{'n':'{{step_1.output}}'}"));
        before.stopServer();

        // when
        server = before.successor();

        // then
        assertThat(flow.at(server).callAndWait(Json.object()).body().path("n").asInt())
                .isEqualTo(1);
        assertThat(workers(owner.api().at(server))).isZero();
    }

    private static int workers(ApiClient api) {
        var free = "millrace_code_workers{state=\"free\"} ";
        return api.get("/v1/metrics")
                .body()
                .asText()
                .lines()
                .filter(line -> line.startsWith(free))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(free.length())))
                .sum();
    }

    /** Log lines about expected flows, from the shards and the intake of each. */
    private List<String> startedReady() {
        try (var shards = RecordedLog.of(RunVerticle.class.getName());
                var intake = RecordedLog.of(WebhookVerticle.class.getName())) {
            server = before.successor(PREWARMED);
            var lines = Runtime.getRuntime().availableProcessors();
            Waiting.until("all shards are ready", () -> shards.lines().size() == lines);
            Waiting.until("all intakes are ready", () -> intake.lines().size() == lines);
            return Stream.concat(shards.lines().stream(), intake.lines().stream())
                    .toList();
        }
    }
}
