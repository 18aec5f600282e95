package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Triggers of npm packages: enabled, disabled, and polled (contract pieces 7). */
class NpmTriggersIT {
    private static final String PROBE = "@acme/piece-probe";
    private static final String PREPARING = "@acme/piece-preparing";

    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        server = TestServer.start();
        admin = server.signUp("ada@example.com", "Ada");
        upload(PiecePackage.probe(PROBE, "1.0.0"));
        uploadPreparing();
    }

    private static void upload(PiecePackage piece) {
        assertThat(PackageUploads.upload(admin, piece).status()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static FlowScript with(String triggerName) {
        return trigger(PROBE, "1.0.0", triggerName, "{}").map("step_1", "{'seen':'{{trigger.output}}'}");
    }

    private static void advanceToDue(LiveFlow flow) {
        var due = Instant.ofEpochSecond(server.count(
                "select extract(epoch from next_due)::bigint from trigger_source where flow_id = $1 and deleted is null",
                flow.id()));
        server.clock().advance(Duration.between(server.clock().instant(), due));
    }

    @Test
    void pollsAtTheTimesThatThePieceHasSet_andKeepsItsMarkWhileItIsOn() {
        var flow = LiveFlow.publish(admin, with("poll"));

        assertThat(server.count(
                        "select count(*) from trigger_source where flow_id = $1 and cron_expression = '*/2 * * * *'",
                        flow.id()))
                .isOne();
        advanceToDue(flow);
        assertThat(flow.ended(1).at("/steps/step_1/output/seen/n").asInt()).isEqualTo(1);
        advanceToDue(flow);
        assertThat(flow.ended(2).at("/steps/step_1/output/seen/n").asInt()).isEqualTo(2);
        assertThat(flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"))
                        .status())
                .isEqualTo(200);
        assertThat(server.count("select count(*) from store_entry where key = $1", "flow_" + flow.id() + "/last"))
                .isZero();
    }

    /** A probe whose polling trigger counts the prepared runs, and rejects the second one. */
    private static void uploadPreparing() {
        var piece = PiecePackage.probe(PREPARING, "1.0.0");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        upload(piece.with("package/src/index.js", index.replace("onStart: async () => Promise.resolve()", """
                onStart: async (context) => {
                  await context.store.put('starts', ((await context.store.get('starts')) ?? 0) + 1);
                  await context.store.put('started', { run: context.run.id, payload: context.payload });
                  if (context.payload.n === 2) throw new Error('not this one');
                }""")));
    }

    private static long stored(LiveFlow flow, String key, String value) {
        return server.count(
                "select count(*) from store_entry where key = 'flow_' || $1 || '/' || $2 and value = $3",
                flow.id(),
                key,
                value);
    }

    @Test
    void preparesEachPolledRunOnce_beforeItsFirstStep() {
        // given
        var flow = LiveFlow.publish(
                admin,
                trigger(PREPARING, "1.0.0", "poll", "{}").piece("step_1", PREPARING, "1.0.0", "pause", json("{}")));

        // when
        advanceToDue(flow);
        Waiting.until(
                "the run is paused",
                () -> flow.runs().size() == 1
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        var paused = flow.newest();

        // then
        assertThat(stored(flow, "starts", "1")).isOne();
        assertThat(server.count(
                        "select count(*) from store_entry where key = 'flow_' || $1 || '/started'"
                                + " and value::json->>'run' = $2 and value::json->'payload'->>'n' = '1'",
                        flow.id(),
                        paused.path("id").asText()))
                .isOne();

        // when it is tried again
        var url = paused.at("/steps/step_1/output/url").asText();
        var path = url.substring(url.indexOf("/api/") + "/api".length(), url.indexOf("/sync"));
        admin.api().post(path, json("{}"));

        // then
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(stored(flow, "starts", "1")).isOne();
    }

    @Test
    void failsAPolledRunAtItsTrigger_whenItCannotBePrepared() {
        // given
        var flow = LiveFlow.publish(
                admin, trigger(PREPARING, "1.0.0", "poll", "{}").map("step_1", "{'seen':'{{trigger.output}}'}"));
        advanceToDue(flow);
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");

        // when
        advanceToDue(flow);
        var run = flow.ended(2);

        // then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("trigger");
        assertThat(run.at("/steps/trigger/output")).isEqualTo(json("{'n':2}"));
        assertThat(run.at("/steps/trigger/errorMessage").asText()).contains("not this one");
        assertThat(run.path("steps").has("step_1")).isFalse();
    }

    @Test
    void preparesNothingForAnItemThatIsDropped() {
        var flow = LiveFlow.publish(admin, with("hook"));

        flow.call(json("{'order':8,'_dedupe_key':'eight'}"));
        var run = flow.ended(1);
        flow.call(json("{'order':9,'_dedupe_key':'eight'}"));

        assertThat(server.count(
                        "select count(*) from store_entry where key = 'flow_' || $1 || '/started'"
                                + " and value::json->>'run' = $2 and value::json->'payload'->>'order' = '8'",
                        flow.id(),
                        run.path("id").asText()))
                .isOne();
    }

    @Test
    void makesItemsOfAWebhook() {
        var flow = LiveFlow.publish(admin, with("hook"));

        var run = flow.run(json("{'order':7}"));

        assertThat(run.at("/steps/step_1/output/seen/order").asInt()).isEqualTo(7);
        assertThat(server.count(
                        "select count(*) from store_entry where key = 'flow_' || $1 || '/started'"
                                + " and value::json->>'run' = $2 and value::json->'payload'->>'order' = '7'",
                        flow.id(),
                        run.at("/id").asText()))
                .isOne();
    }

    @Test
    void readsTheEventsOfAnApp_untilAnotherPlatformSharesTheServer() {
        // given
        var piece = PiecePackage.probe("@activepieces/piece-events", "1.0.0");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        upload(piece.with("package/src/index.js", index.replace("type: 'MANUAL'", "type: 'APP_WEBHOOK'")));

        // when
        var alone = server.anonymous().post("/v1/app-events/events", json("{'event':'posted'}"));
        server.foreigner();
        var shared = server.anonymous().post("/v1/app-events/events", json("{'event':'posted'}"));

        // then
        assertThat(alone.status()).isEqualTo(400);
        assertThat(shared.status()).isEqualTo(404);
    }
}
