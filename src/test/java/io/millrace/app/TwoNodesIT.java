package io.millrace.app;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two nodes on one database, without any cluster engine: what one of them has answered the other obeys. */
final class TwoNodesIT {
    private static final int CHANGES = 25;

    private static TestServer first;
    private static TestServer second;
    private static TestServer.SignedIn owner;

    @BeforeAll
    static void start() {
        first = TestServer.startInRealTime(Map.of());
        owner = first.signUp("owner@example.com", "Olga");
        second = first.successor();
    }

    @AfterAll
    static void stop() {
        second.close();
        first.close();
    }

    @Test
    void answersWithTheVersionThatTheOtherNodePublished() {
        var flow = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'version':0}"));
        var elsewhere = flow.at(second);
        for (var version = 1; version <= CHANGES; version++) {
            flow.change(webhook().returnJson("step_1", "{'version':" + version + "}"));
            flow.publish();
            assertThat(elsewhere.callAndWait(Json.object()).body().path("version").asInt())
                    .isEqualTo(version);
        }
    }

    @Test
    void refusesAndTakesEvents_asTheOtherNodeDisabledAndEnabledTheFlow() {
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
        var elsewhere = flow.at(second);
        assertThat(elsewhere.call(Json.object()).status()).isEqualTo(200);
        for (var change = 0; change < CHANGES; change++) {
            assertThat(flow.operate(status("DISABLED")).status()).isEqualTo(200);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(404);
            assertThat(flow.operate(status("ENABLED")).status()).isEqualTo(200);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(200);
        }
    }

    @Test
    void refusesEvents_whenTheOtherNodeDeletedTheFlow() {
        for (var change = 0; change < CHANGES; change++) {
            var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
            var elsewhere = flow.at(second);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(200);
            assertThat(owner.api().delete("/v1/flows/" + flow.id()).status()).isEqualTo(204);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(410);
        }
    }

    private static ObjectNode status(String status) {
        var operation = Json.object().put("type", "CHANGE_STATUS");
        operation.putObject("request").put("status", status);
        return operation;
    }
}
