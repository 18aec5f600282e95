package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Triggers of npm packages: switched on and off, and asked for items (contract pieces 7). */
class NpmTriggersIT {
    private static final String PROBE = "@acme/piece-probe";

    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        server = TestServer.start();
        admin = server.signUp("ada@example.com", "Ada");
        upload(PiecePackage.probe(PROBE, "1.0.0"));
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
        // Given
        var piece = PiecePackage.probe("@activepieces/piece-events", "1.0.0");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        upload(piece.with("package/src/index.js", index.replace("type: 'MANUAL'", "type: 'APP_WEBHOOK'")));

        // When
        var alone = server.anonymous().post("/v1/app-events/events", json("{'event':'posted'}"));
        server.foreigner();
        var shared = server.anonymous().post("/v1/app-events/events", json("{'event':'posted'}"));

        // Then
        assertThat(alone.status()).isEqualTo(400);
        assertThat(shared.status()).isEqualTo(404);
    }
}
