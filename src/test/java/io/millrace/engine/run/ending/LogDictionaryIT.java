package io.millrace.engine.run.ending;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Logs of a frequent flow are compressed with a dictionary, transparently for readers (decision 0013). */
class LogDictionaryIT {
    private static final String KEPT_WITH_A_DICTIONARY = """
            select count(*) from ended_run where get_byte(log, 0) = 120 and (get_byte(log, 1) & 32) = 32
            """;

    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.localCalls().startInRealTime();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @Test
    void showsTheRunsOfABusyFlow_andRetriesThem() {
        // given a flow with so many failed runs that its logs are compressed with a dictionary
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'customer':'{{trigger.output.body.customer}}','note':'the same each time'}")
                        .http("step_2", "POST", outside.url("/broken")));
        Waiting.until("logs are kept with a dictionary", () -> {
            var run = flow.run(json("{'customer':'" + "Grace Hopper".repeat(4) + "'}"));
            assertThat(customer(run)).isEqualTo("Grace Hopper".repeat(4));
            return server.count(KEPT_WITH_A_DICTIONARY) > 0;
        });

        // when
        var run = flow.run(json("{'customer':'Ada'}"));

        // then
        assertThat(server.count(KEPT_WITH_A_DICTIONARY)).isGreaterThan(1);
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(customer(run)).isEqualTo("Ada");
        assertThat(server.text("select string_agg(convert_from(text, 'UTF8'), ',') from log_dictionary"))
                .contains("the same each time")
                .doesNotContain("Ada");

        // when
        outside.repair();
        var retry = owner.api()
                .post(
                        "/v1/flow-runs/" + run.path("id").asText() + "/retry",
                        Json.object().put("projectId", owner.projectId()).put("strategy", "FROM_FAILED_STEP"));

        // then
        assertThat(retry.status()).isEqualTo(200);
        Waiting.until(
                "the run has succeeded",
                () -> flow.run(run.path("id").asText()).path("status").asText().equals("SUCCEEDED"));
        assertThat(customer(flow.run(run.path("id").asText()))).isEqualTo("Ada");
    }

    @Test
    void waitsForTheLastNodeThatCouldNotReadThem() {
        // given a node of a release without dictionaries
        server.execute("insert into node (id, lease_until) values ('before', 'infinity')");
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'note':'the same each time'}"));
        for (var run = 0; run < 40; run++) {
            flow.run(json("{'customer':'Ada'}"));
        }

        // then
        assertThat(server.count(KEPT_WITH_A_DICTIONARY)).isZero();
        assertThat(server.count("select count(*) from log_dictionary")).isZero();

        // when it has left
        server.execute("delete from node where id = 'before'");

        // then
        Waiting.until("logs are kept with a dictionary", () -> {
            flow.run(json("{'customer':'Ada'}"));
            return server.count(KEPT_WITH_A_DICTIONARY) > 0;
        });
    }

    private static String customer(JsonNode run) {
        return run.at("/steps/step_1/output/customer").asText();
    }
}
