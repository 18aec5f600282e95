package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.MachineSpeed;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events of apps, registrations at providers, handshakes, and tests of triggers. */
final class TriggerIT {
    private static final FeedPiece FEED = new FeedPiece();

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_FRONTEND_URL", "https://mill.example")
            .with("AP_APP_WEBHOOK_SECRETS", "{\"feed\":{\"webhookSecret\":\"s3cret\"}}")
            .start(FEED);

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private static FlowScript feed(String triggerName, String input) {
        return trigger(FeedPiece.NAME, FeedPiece.VERSION, triggerName, input)
                .map("step_1", "{'seen':'{{trigger.output}}'}");
    }

    private static HttpResponse<String> send(String path, String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api" + path))
                .timeout(MachineSpeed.deadline(Duration.ofSeconds(30)))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.replace('\'', '"')));
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new AssertionError(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private static ObjectNode addressed(LiveFlow flow) {
        return Json.object().put("projectId", ada.projectId()).put("flowId", flow.id());
    }

    private static Answer test(LiveFlow flow, String strategy) {
        return test(ada, flow, strategy);
    }

    private static Answer simulate(TestServer.SignedIn by, LiveFlow flow) {
        return test(by, flow, "SIMULATION");
    }

    private static Answer test(TestServer.SignedIn by, LiveFlow flow, String strategy) {
        var version = by.api().get("/v1/flows/" + flow.id()).text("/version/id");
        return by.api()
                .post(
                        "/v1/test-trigger",
                        addressed(flow)
                                .put("projectId", by.projectId())
                                .put("flowVersionId", version)
                                .put("testStrategy", strategy));
    }

    private static void disable(LiveFlow flow) {
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }

    @Test
    void givesAnAppsEventToEveryFlowThatListens_andToNoOther() {
        // Given
        var mill = LiveFlow.publish(ada, feed("on_event", "{'team':'mill'}"));
        var other = LiveFlow.publish(ada, feed("on_event", "{'team':'other'}"));
        var disabled = LiveFlow.publish(ada, feed("on_event", "{'team':'mill'}"));
        disable(disabled);
        var event = "{'event':'posted','team':'mill','text':'hi'}";

        // When
        var forged = send("/v1/app-events/feed", event, "x-secret", "wrong");
        var taken = send("/v1/app-events/feed", event, "x-secret", "s3cret");
        var run = mill.ended(1);

        // Then
        assertThat(forged.statusCode()).isEqualTo(200);
        assertThat(taken.statusCode()).isEqualTo(200);
        assertThat(taken.body()).isEqualTo("{}");
        assertThat(run.at("/steps/step_1/output/seen/text").asText()).isEqualTo("hi");
        assertThat(mill.runs()).hasSize(1);
        assertThat(other.runs()).isEmpty();
        assertThat(disabled.runs()).isEmpty();
        disable(mill);
        disable(other);
        assertThat(server.count("select count(*) from trigger_listener")).isZero();
    }

    @Test
    void refusesUnreadableEvents_andLetsAPieceAnswerItself() {
        assertThat(send("/v1/app-events/feed", "{'challenge':'abc'}").body()).isEqualTo("abc");
        assertThat(send("/v1/app-events/feed", "{'team':'mill'}").statusCode()).isEqualTo(400);
        assertThat(send("/v1/app-events/unknown", "{}").statusCode()).isEqualTo(404);
        assertThat(send("/v1/app-events/webhook", "{}").statusCode()).isEqualTo(404);
    }

    @Test
    void registersAtTheProvider_renewsAndUnregisters() {
        // Given
        FEED.hooks.clear();
        var flow = LiveFlow.publish(ada, feed("on_call", "{}"));

        // When
        server.clock().advance(Duration.ofMinutes(61));
        Waiting.until("a renewal", () -> FEED.hooks.contains("renew"));
        var shaken = send("/v1/webhooks/" + flow.id() + "?challenge=abc", "{}");
        disable(flow);
        var shakenWhenDisabled = send("/v1/webhooks/" + flow.id() + "?challenge=abc", "{}");
        var refused = send("/v1/webhooks/" + flow.id(), "{}");

        // Then
        assertThat(FEED.hooks)
                .containsExactly("register https://mill.example/api/v1/webhooks/" + flow.id(), "renew", "unregister");
        assertThat(shaken.statusCode()).isEqualTo(202);
        assertThat(shaken.body()).isEqualTo("abc");
        assertThat(shaken.headers().firstValue("x-feed")).contains("yes");
        assertThat(shaken.headers().firstValue("x-webhook-id")).isEmpty();
        assertThat(shakenWhenDisabled.statusCode()).isEqualTo(202);
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(flow.runs()).isEmpty();
    }

    @Test
    void unregistersAtTheProvider_whenItsProjectIsDeleted() {
        // Given
        var team = ada.inTeam("Team that ends");
        var flow = LiveFlow.publish(team, feed("on_call", "{}"));
        FEED.hooks.clear();

        // When
        var deleted = ada.api().delete("/v1/projects/" + team.projectId());

        // Then
        assertThat(deleted.status()).as(deleted.toString()).isEqualTo(204);
        awaitRemoved(flow);
        assertThat(FEED.hooks).containsExactly("unregister");
    }

    @Test
    void unregistersAtTheProvider_whenAFlowIsDeletedDuringASimulation() {
        // Given
        var flow = LiveFlow.draft(ada, feed("on_call", "{}"));
        var begun = test(flow, "SIMULATION");
        FEED.hooks.clear();

        // When
        var deleted = ada.api().delete("/v1/flows/" + flow.id());

        // Then
        assertThat(begun.status()).as(begun.toString()).isEqualTo(200);
        assertThat(deleted.status()).as(deleted.toString()).isEqualTo(204);
        awaitRemoved(flow);
        assertThat(FEED.hooks).containsExactly("unregister");
    }

    @Test
    void unregistersBothAddressesAtTheProvider_whenAPublishedFlowIsDeletedDuringASimulation() {
        // Given
        var flow = LiveFlow.publish(ada, feed("on_call", "{}"));
        test(flow, "SIMULATION");
        FEED.hooks.clear();

        // When
        ada.api().delete("/v1/flows/" + flow.id());

        // Then
        awaitRemoved(flow);
        assertThat(FEED.hooks).containsExactly("unregister", "unregister");
    }

    @Test
    void unregistersAtTheProvider_whenAProjectIsDeletedDuringASimulation() {
        // Given
        var team = ada.inTeam("Team that tests");
        var flow = LiveFlow.draft(team, feed("on_call", "{}"));
        simulate(team, flow);
        FEED.hooks.clear();

        // When
        ada.api().delete("/v1/projects/" + team.projectId());

        // Then
        awaitRemoved(flow);
        assertThat(FEED.hooks).containsExactly("unregister");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete from flow where id = $1",
                "update flow set operation_status = 'DELETING', updated = now() where id = $1",
                "update project set deleted = now() where id = (select project_id from flow where id = $1)"
            })
    void unregistersAtTheProvider_whenTheFlowIsGoneBeforeASimulationIsStored(String removal) {
        // Given
        var team = ada.inTeam("Team that is gone");
        var flow = LiveFlow.draft(team, feed("on_call", "{}"));
        FEED.hooks.clear();
        FEED.atProvider = () -> {
            FEED.atProvider = () -> {};
            server.execute(removal, flow.id());
        };

        // When
        var begun = simulate(team, flow);

        // Then
        assertThat(begun.status()).as(begun.toString()).isEqualTo(404);
        assertThat(FEED.hooks)
                .containsExactly("register https://mill.example/api/v1/webhooks/" + flow.id() + "/test", "unregister");
        assertThat(server.count(
                        "select count(*) from trigger_source where flow_id = $1 and deleted is null", flow.id()))
                .isZero();
    }

    @Test
    void unregistersTheTriggerOfAVersion_whosePublicationWasInterruptedAfterItsHook() {
        // Given a publication that ends between the hook of the new trigger and the commit that publishes the version
        var flow = LiveFlow.publish(ada, feed("on_event", "{'team':'interrupted'}"));
        var before = ada.api().get("/v1/flows/" + flow.id()).text("/publishedVersionId");
        flow.change(feed("on_call", "{}"));
        FEED.hooks.clear();
        server.execute("create function interrupt() returns trigger language plpgsql as"
                + " 'begin raise exception ''interrupted''; end'");
        server.execute("create trigger interrupted before update on flow for each row"
                + " when (old.operation_status = 'ENABLING' and new.operation_status = 'NONE')"
                + " execute function interrupt()");
        assertThat(send(
                                "/v1/flows/" + flow.id(),
                                "{'type':'LOCK_AND_PUBLISH','request':{}}",
                                "Authorization",
                                "Bearer " + ada.api().token())
                        .statusCode())
                .isEqualTo(500);
        server.execute("drop trigger interrupted on flow");
        server.execute("drop function interrupt()");

        // When
        server.execute("update flow set operation_until = now() - interval '1 second' where id = $1", flow.id());
        try (var second = server.successor()) {
            Waiting.until(
                    "the publication is settled",
                    () -> server.count(
                                    "select count(*) from flow where id = $1 and operation_status = 'NONE'", flow.id())
                            == 1);

            // Then
            var after = ada.api().at(second).get("/v1/flows/" + flow.id());
            assertThat(after.text("/status")).isEqualTo("ENABLED");
            assertThat(after.text("/publishedVersionId")).isEqualTo(before);
        }
        assertThat(FEED.hooks)
                .containsExactly("register https://mill.example/api/v1/webhooks/" + flow.id(), "unregister");
        send("/v1/app-events/feed", "{'event':'posted','team':'interrupted','text':'hi'}", "x-secret", "s3cret");
        assertThat(flow.ended(1).at("/steps/step_1/output/seen/text").asText()).isEqualTo("hi");
        disable(flow);
    }

    private static void awaitRemoved(LiveFlow flow) {
        Waiting.until(
                "the rows are removed", () -> server.count("select count(*) from flow where id = $1", flow.id()) == 0);
    }

    @Test
    void aFlowOfADeletedProjectIsGone_beforeItsRowsAreRemoved() {
        // Given
        var team = ada.inTeam("Team that ended");
        var flow = LiveFlow.publish(team, feed("on_call", "{}"));

        // When
        server.execute("update project set deleted = now() where id = $1", team.projectId());

        // Then
        assertThat(send("/v1/webhooks/" + flow.id(), "{}").statusCode()).isEqualTo(410);
    }

    @Test
    void publishesButStaysDisabled_whenTheProviderRefuses() {
        // Given
        var flow = LiveFlow.draft(ada, feed("on_call", "{'refused':true}"));

        // When
        var answer = flow.operate(json("{'type':'LOCK_AND_PUBLISH','request':{}}"));

        // Then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/code")).isEqualTo("TRIGGER_UPDATE_STATUS");
        assertThat(answer.text("/params/standardError")).isEqualTo("the provider says no");
        var after = ada.api().get("/v1/flows/" + flow.id());
        assertThat(after.text("/status")).isEqualTo("DISABLED");
        assertThat(after.text("/operationStatus")).isEqualTo("NONE");
        assertThat(after.text("/publishedVersionId")).isEqualTo(answer.text("/params/flowVersionId"));
    }

    @Test
    void getsSamplesFromTheTestFunction() {
        // Given
        FEED.entries.addAll(List.of("c", "b", "a"));
        var flow = LiveFlow.draft(ada, feed("new_entry", "{}"));

        // When
        var samples = test(flow, "TEST_FUNCTION");
        FEED.broken = true;
        var failed = test(flow, "TEST_FUNCTION");
        FEED.broken = false;
        FEED.entries.clear();

        // Then
        assertThat(samples.status()).isEqualTo(200);
        assertThat(samples.body().path("data").findValuesAsText("id")).contains("a", "b", "c");
        assertThat(samples.text("/data/0/sourceName")).isEqualTo(FeedPiece.NAME + "@1.0:new_entry");
        assertThat(failed.status()).isEqualTo(400);
        assertThat(failed.text("/code")).isEqualTo("TEST_TRIGGER_FAILED");
        assertThat(server.count("select count(*) from store_entry where key like '%lastItem'"))
                .isZero();
    }

    @Test
    void keepsReceivedEvents_whileItSimulates() {
        // Given
        var flow = LiveFlow.draft(ada, webhook());
        var before = flow.call(json("{'n':0}"));

        // When
        var begun = test(flow, "SIMULATION");
        var during = flow.call(json("{'n':1}"));
        var samples = ada.api().get("/v1/trigger-events?projectId=" + ada.projectId() + "&flowId=" + flow.id());
        var ended = ada.api()
                .send(
                        "DELETE",
                        "/v1/test-trigger",
                        Map.of("Content-Type", "application/json"),
                        Json.text(addressed(flow)));
        var after = flow.call(json("{'n':2}"));

        // Then
        assertThat(before.status()).isEqualTo(404);
        assertThat(begun.status()).isEqualTo(200);
        assertThat(during.status()).isEqualTo(200);
        assertThat(samples.body().path("data")).hasSize(1);
        assertThat(Ids.isId(samples.text("/data/0/fileId"))).isTrue();
        assertThat(samples.text("/data/0/payload/body/n")).isEqualTo("1");
        assertThat(ended.status()).isEqualTo(204);
        assertThat(after.status()).isEqualTo(404);
        assertThat(flow.runs()).isEmpty();
    }

    @Test
    void keepsAMadeUpSample_andRefusesAnotherProjectsFlow() {
        // Given
        var flow = LiveFlow.draft(ada, webhook());
        var eve = server.signUp("eve@example.com", "Eve");

        // When
        var mock = addressed(flow);
        mock.putObject("mockData").put("n", 7);
        var saved = ada.api().post("/v1/trigger-events", mock);
        var foreign = eve.api().post("/v1/trigger-events", mock);
        var misled = eve.api().post("/v1/trigger-events", mock.put("projectId", eve.projectId()));

        // Then
        assertThat(saved.text("/payload/n")).isEqualTo("7");
        assertThat(server.text("select type || ' ' || convert_from(data, 'UTF8') from file where id = '"
                        + saved.text("/fileId") + "'"))
                .isEqualTo("TRIGGER_EVENT_FILE {\"n\":7}");
        assertThat(foreign.status()).isGreaterThanOrEqualTo(400);
        assertThat(misled.status()).isEqualTo(404);
    }

    @Test
    void reportsHowTriggersFare() {
        // Given
        var flow = LiveFlow.publish(ada, webhook());
        flow.call(json("{}"));

        // When
        Waiting.until(
                "the counts are saved",
                () -> server.count("select count(*) from trigger_tally where piece_name like '%webhook'") > 0);
        var report = ada.api().get("/v1/trigger-runs/status");

        // Then
        assertThat(report.status()).isEqualTo(200);
        assertThat(report.body()
                        .at("/pieces")
                        .path("@activepieces/piece-webhook")
                        .path("totalRuns")
                        .asLong())
                .isPositive();
        disable(flow);
    }
}
