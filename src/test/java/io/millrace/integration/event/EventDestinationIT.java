package io.millrace.integration.event;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signed delivery of events to subscribers only, with retries until acknowledged. */
class EventDestinationIT {
    private static final String DESTINATIONS = "/v1/event-destinations";

    private static final List<Received> RECEIVED = new CopyOnWriteArrayList<>();
    private static final AtomicInteger FAILURES_LEFT = new AtomicInteger();

    private static Vertx vertx;
    private static HttpServer receiver;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    private record Received(String path, MultiMap headers, Buffer body) {
        JsonNode json() {
            return Json.trusted(body.getBytes());
        }
    }

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        receiver = await(vertx.createHttpServer()
                .requestHandler(EventDestinationIT::receive)
                .listen(0, "127.0.0.1"));
        server = ServerSettings.openSignUpAndLocalCalls().startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        await(vertx.close());
    }

    private static void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            RECEIVED.add(new Received(request.path(), request.headers(), body));
            var fails = request.path().startsWith("/failing") && FAILURES_LEFT.getAndDecrement() > 0;
            request.response().setStatusCode(fails ? 500 : 204).end();
        });
    }

    @Test
    void createsChangesListsAndDeletes() {
        // when
        var created = create("/kept", "user.signed.in", "user.signed.in", "folder.created");
        var id = created.text("/id");
        var changed = admin.api().post(DESTINATIONS + "/" + id, request(address("/moved"), "folder.deleted"));
        var listed = admin.api().get(DESTINATIONS);

        // then
        assertThat(created.status()).isEqualTo(200);
        assertThat(created.text("/scope")).isEqualTo("PLATFORM");
        assertThat(created.body().path("events")).hasSize(2);
        assertThat(created.text("/secret")).startsWith("whsec_");
        assertThat(changed.text("/url")).isEqualTo(address("/moved"));
        assertThat(changed.body().has("secret")).isFalse();
        assertThat(listed.body().findValuesAsText("id")).contains(id);
        assertThat(listed.body().findValues("secret")).isEmpty();

        // when
        var deleted = admin.api().delete(DESTINATIONS + "/" + id);

        // then
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(admin.api().delete(DESTINATIONS + "/" + id).status()).isEqualTo(404);
        assertThat(admin.api().get(DESTINATIONS + "/" + id + "/deliveries").status())
                .isEqualTo(404);
        assertThat(admin.api()
                        .post(DESTINATIONS + "/" + id, request(address("/x")))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void refusesBadInput_members_andOtherPlatforms() {
        // given
        var id = create("/own", "folder.updated").text("/id");
        var bob = server.signUp("bob@example.com", "Bob");

        // then
        for (var url : List.of("", "nothing", "ftp://example.com", "/v1/webhooks", "http://", "http://a b")) {
            assertThat(admin.api()
                            .post(DESTINATIONS, request(url, "folder.created"))
                            .text("/message"))
                    .as(url)
                    .isEqualTo("body/url Invalid URL");
        }
        assertThat(admin.api()
                        .post(DESTINATIONS, request(address("/x"), "flow.created", "flow.eaten"))
                        .text("/message"))
                .startsWith("body/events/1 Invalid option");
        assertThat(admin.api().post(DESTINATIONS, Json.object()).text("/message"))
                .contains("body/events", "body/url");
        assertThat(bob.api().get(DESTINATIONS).text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(bob.api().delete(DESTINATIONS + "/" + id).status()).isEqualTo(403);

        // given a destination of another platform
        var foreign = Ids.next();
        server.execute("""
                insert into event_destination (id, created, updated, platform_id, events, url, sealed_secret)
                select $1, now(), now(), platform_id, '{folder.created}', $3, '' from project where id = $2
                """, foreign, server.foreignProject(), address("/foreign"));

        // when
        folder("Not theirs");

        // then
        assertThat(admin.api().get(DESTINATIONS).body().findValuesAsText("id")).doesNotContain(foreign);
        assertThat(admin.api().delete(DESTINATIONS + "/" + foreign).status()).isEqualTo(404);
        assertThat(admin.api()
                        .post(DESTINATIONS + "/" + foreign, request(address("/x")))
                        .status())
                .isEqualTo(404);
        assertThat(server.count("select count(*) from event_delivery where destination_id = $1", foreign))
                .isZero();
        assertThat(admin.api().delete(DESTINATIONS + "/" + Ids.next()).status()).isEqualTo(404);
    }

    @Test
    void deliversWhatTheAuditLogRecords_signed_andAgainUntilItIsTaken() {
        // given
        FAILURES_LEFT.set(1);
        var destination = create("/failing", "folder.created");
        create("/deaf", "folder.deleted");

        // when
        var folder = folder("Mill");
        awaitCount("/failing", 1);
        var log = DESTINATIONS + "/" + destination.text("/id") + "/deliveries";
        Waiting.until(
                "a noted failure",
                () -> !admin.api().get(log).body().at("/data/0/failure").isNull());
        var waiting = admin.api().get(log).body().at("/data/0");
        server.clock().advance(Duration.ofSeconds(10));
        var calls = awaitCount("/failing", 2);

        // then
        assertThat(waiting.path("status").asText()).isEqualTo("PENDING");
        assertThat(waiting.path("failure").asText()).isEqualTo("expected status 2xx, found 500");
        assertThat(waiting.path("attempts").asInt()).isEqualTo(1);
        var event = calls.getLast().json();
        assertThat(event).isEqualTo(calls.getFirst().json());
        assertThat(event.path("action").asText()).isEqualTo("folder.created");
        assertThat(event.at("/data/folder/id").asText()).isEqualTo(folder);
        assertThat(event.path("userEmail").asText()).isEqualTo("ada@example.com");
        var headers = calls.getLast().headers();
        assertThat(headers.get("content-type")).isEqualTo("application/json");
        assertThat(headers.get("X-Millrace-Event")).isEqualTo("folder.created");
        assertThat(headers.get("X-Millrace-Delivery"))
                .isEqualTo(calls.getFirst().headers().get("X-Millrace-Delivery"))
                .matches(Ids.PATTERN);
        var signature = headers.get(Signature.HEADER);
        var seconds = Long.parseLong(signature.substring(2, signature.indexOf(',')));
        assertThat(signature)
                .isEqualTo(Signature.of(
                        destination.text("/secret"),
                        Instant.ofEpochSecond(seconds),
                        calls.getLast().body()));
        Waiting.until(
                "a noted delivery",
                () -> admin.api().get(log).text("/data/0/status").equals("DELIVERED"));
        assertThat(admin.api()
                        .get("/v1/audit-events?action=folder.created&limit=1")
                        .body()
                        .at("/data/0"))
                .isEqualTo(event);
        assertThat(received("/deaf")).isEmpty();
    }

    @Test
    void tellsWhatRunsDo() {
        // given
        create("/runs", "flow.run.started", "flow.run.finished", "flow.run.resumed");
        var fine = LiveFlow.publish(admin, webhook().map("step_1", "{'a':1}").delay("step_2", 3600));
        var broken = LiveFlow.publish(admin, webhook().http("step_1", "GET", address("/missing")));
        var failing = LiveFlow.publish(admin, webhook().http("step_1", "GET", "http://10.0.0.1/blocked"));

        // when
        fine.call(json("{}"));
        Waiting.until(
                "a pause",
                () -> fine.runs().size() == 1
                        && fine.runs().getFirst().path("status").asText().equals("PAUSED"));
        server.clock().advance(Duration.ofHours(1));
        fine.ended(1);
        broken.run(json("{}"));
        var failed = failing.run(json("{}"));

        // then
        Waiting.until(
                "all events are delivered",
                () -> actions(fine).size() == 3 && actions(failing).size() == 2);
        assertThat(actions(fine))
                .containsExactlyInAnyOrder("flow.run.started", "flow.run.resumed", "flow.run.finished");
        assertThat(actions(failing)).containsExactlyInAnyOrder("flow.run.started", "flow.run.finished");
        var finished = received("/runs").stream()
                .map(Received::json)
                .filter(event -> event.path("action").asText().equals("flow.run.finished"))
                .filter(event -> event.at("/data/flowRun/flowId").asText().equals(failing.id()))
                .findFirst()
                .orElseThrow();
        var run = finished.at("/data/flowRun");
        assertThat(run.path("id")).isEqualTo(failed.path("id"));
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.path("environment").asText()).isEqualTo("PRODUCTION");
        assertThat(run.path("flowDisplayName").asText()).isEqualTo("Mill");
        assertThat(run.path("duration").isIntegralNumber()).isTrue();
        assertThat(run.path("finishTime")).isEqualTo(failed.path("finishTime"));
        assertThat(finished.path("projectId").asText()).isEqualTo(admin.projectId());
        assertThat(finished.at("/data/project/displayName").asText()).isEqualTo("Example's Project");
        assertThat(received("/runs").stream().map(call -> call.headers().get("X-Millrace-Delivery")))
                .doesNotHaveDuplicates();
    }

    @Test
    void recordsAReplayAsARetriedRun_withTheUserWhoStartedIt() {
        // given
        create("/replays", "flow.run.started", "flow.run.retried");
        var flow = LiveFlow.publish(admin, webhook().map("step_1", "{'a':1}"));
        var run = flow.run(json("{}"));

        // when
        var replay = admin.api()
                .post(
                        "/v1/flow-runs/" + run.path("id").asText() + "/replay",
                        json("{'step':'step_1','effects':'recorded'}"));

        // then
        assertThat(replay.status()).as(replay.toString()).isEqualTo(200);
        Waiting.until(
                "the event of the replay",
                () -> received("/replays").stream()
                        .map(Received::json)
                        .anyMatch(event -> event.at("/data/flowRun/id").asText().equals(replay.text("/id"))));
        var event = received("/replays").stream()
                .map(Received::json)
                .filter(each -> each.at("/data/flowRun/id").asText().equals(replay.text("/id")))
                .findFirst()
                .orElseThrow();
        assertThat(event.path("action").asText()).isEqualTo("flow.run.retried");
        assertThat(event.at("/data/flowRun/triggeredBy").asText()).isEqualTo(admin.userId());
        assertThat(event.at("/data/flowRun/flowId").asText()).isEqualTo(flow.id());
    }

    @Test
    void startsAFlowOfThisServer_butNeverForItsOwnRuns() {
        // given
        var listener = LiveFlow.publish(admin, webhook().map("step_1", "{'action':'{{trigger.output.body.action}}'}"));
        var webhook = "http://localhost:" + server.port() + "/api/v1/webhooks/" + listener.id();
        admin.api().post(DESTINATIONS, request(webhook, "folder.created", "flow.run.finished"));
        create("/all-runs", "flow.run.finished");

        // when
        folder("For a flow");
        var run = listener.ended(1);
        Waiting.until(
                "the listener's own end",
                () -> received("/all-runs").stream()
                        .anyMatch(call ->
                                call.json().at("/data/flowRun/flowId").asText().equals(listener.id())));

        // then
        assertThat(run.at("/steps/step_1/output/action").asText()).isIn("folder.created", "flow.run.finished");
        assertThat(server.count(
                        "select count(*) from event_delivery where body like '%' || $1 || '%' and destination_id in"
                                + " (select id from event_destination where url = $2)",
                        run.path("id").asText(), webhook))
                .isZero();
    }

    @Test
    void sendsASample_whereEventsMayGo() {
        // when
        var taken = admin.api().post(DESTINATIONS + "/test", Json.object().put("url", address("/sample")));
        var finished = admin.api()
                .post(
                        DESTINATIONS + "/test",
                        Json.object().put("url", address("/sample")).put("event", "flow.run.finished"));
        var blocked =
                admin.api().post(DESTINATIONS + "/test", Json.object().put("url", "http://169.254.169.254/latest"));
        FAILURES_LEFT.set(1);
        var failed = admin.api().post(DESTINATIONS + "/test", Json.object().put("url", address("/failing-sample")));
        var unknown = admin.api()
                .post(
                        DESTINATIONS + "/test",
                        Json.object().put("url", address("/sample")).put("event", "x"));

        // then
        assertThat(taken.status()).isEqualTo(200);
        assertThat(finished.status()).isEqualTo(200);
        assertThat(received("/sample").stream()
                        .map(call -> call.json().path("action").asText()))
                .containsExactly("flow.created", "flow.run.finished");
        assertThat(blocked.status()).isEqualTo(409);
        assertThat(blocked.text("/params/message")).contains("blocked");
        assertThat(failed.text("/params/message")).contains("found 500");
        assertThat(unknown.status()).isEqualTo(400);
    }

    private static List<String> actions(LiveFlow flow) {
        return received("/runs").stream()
                .map(Received::json)
                .filter(event -> event.at("/data/flowRun/flowId").asText().equals(flow.id()))
                .map(event -> event.path("action").asText())
                .toList();
    }

    private static Answer create(String path, String... events) {
        return admin.api().post(DESTINATIONS, request(address(path), events));
    }

    private static ObjectNode request(String url, String... events) {
        var request = Json.object().put("url", url);
        var names = request.putArray("events");
        List.of(events).forEach(names::add);
        return request;
    }

    private static String folder(String name) {
        return admin.api()
                .post(
                        "/v1/folders",
                        Json.object().put("projectId", admin.projectId()).put("displayName", name))
                .text("/id");
    }

    private static String address(String path) {
        return "http://127.0.0.1:" + receiver.actualPort() + path;
    }

    private static List<Received> received(String path) {
        return RECEIVED.stream().filter(call -> call.path().equals(path)).toList();
    }

    private static List<Received> awaitCount(String path, int count) {
        Waiting.until(count + " calls of " + path, () -> received(path).size() >= count);
        return received(path);
    }
}
