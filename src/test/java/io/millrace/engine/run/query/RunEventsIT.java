package io.millrace.engine.run.query;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.support.EventReader;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Event streams of live runs. */
class RunEventsIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "1")
            .startInRealTime();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @AutoClose
    private Outside outside = Outside.start();

    @Test
    void reportsEveryStep_untilTheRunEnds() {
        // given a run in its second step
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'a':1}")
                        .http("step_2", "GET", outside.url("/held"))
                        .loop("step_3", "{{[7,8]}}", steps().map("step_4", "{'v':'{{step_3.output.item}}'}")));
        flow.call(json("{}"));
        outside.awaitCalls(1);

        // when
        try (var reader = EventReader.open(owner.api(), "/v1/flow-runs/" + flow.newestId() + "/events", null)) {
            reader.awaitCount("run", 1);
            outside.release();
            reader.awaitEnd();

            // then
            assertThat(reader.statuses()).containsExactly("RUNNING", "SUCCEEDED");
            assertThat(reader.endedSteps())
                    .containsExactly(
                            "1 trigger [] SUCCEEDED",
                            "2 step_1 [] SUCCEEDED",
                            "3 step_2 [] SUCCEEDED",
                            "4 step_3 [] SUCCEEDED",
                            "5 step_4 [[\"step_3\",0]] SUCCEEDED",
                            "6 step_4 [[\"step_3\",1]] SUCCEEDED");
            assertThat(reader.startedSteps()).contains("step_2 []", "step_4 [[\"step_3\",1]]");
            assertThat(reader.data("6").at("/output/output/v").asInt()).isEqualTo(8);
            assertThat(reader.data("6").at("/output").has("duration")).isTrue();
        }
    }

    @Test
    void resumesAtThePositionOfTheReader() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .loop("step_1", "{{[1,2]}}", steps().map("step_2", "{'v':'{{step_1.output.item}}'}"))
                        .http("step_3", "GET", outside.url("/held")));
        flow.call(json("{}"));
        outside.awaitCalls(1);

        // when
        try (var reader = EventReader.open(owner.api(), "/v1/flow-runs/" + flow.newestId() + "/events", "3")) {
            reader.awaitCount("run", 1);
            outside.release();
            reader.awaitEnd();

            // then
            assertThat(reader.endedSteps())
                    .containsExactly("4 step_2 [[\"step_1\",1]] SUCCEEDED", "5 step_3 [] SUCCEEDED");
        }
    }

    @Test
    void reportsAQueuedRun() {
        // given that the only slot is taken
        var flow = LiveFlow.publish(owner, webhook().http("step_1", "GET", outside.url("/held")));
        flow.call(json("{}"));
        outside.awaitCalls(1);
        flow.call(json("{}"));
        Waiting.until(
                "the second run waits",
                () -> flow.runs().getFirst().path("status").asText().equals("QUEUED"));

        // when
        try (var reader = EventReader.open(owner.api(), "/v1/flow-runs/" + flow.newestId() + "/events", null)) {
            reader.awaitCount("run", 1);
            Waiting.until("the run has ended", () -> {
                outside.release();
                return reader.hasEnded();
            });

            // then
            assertThat(reader.statuses()).containsExactly("QUEUED", "RUNNING", "SUCCEEDED");
            assertThat(reader.endedSteps()).containsExactly("1 trigger [] SUCCEEDED", "2 step_1 [] SUCCEEDED");
        }
    }

    @Test
    void reportsOneEvent_whenTheRunHasEnded() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().code("step_1", "export const code = async () => { throw new Error('boom'); };"));
        var run = flow.run(json("{}"));

        // when
        try (var reader =
                EventReader.open(owner.api(), "/v1/flow-runs/" + run.path("id").asText() + "/events", null)) {
            reader.awaitEnd();

            // then
            assertThat(reader.events()).hasSize(1);
            assertThat(reader.events().getFirst().data().path("status").asText())
                    .isEqualTo("FAILED");
            assertThat(reader.events().getFirst().data().at("/failedStep/name").asText())
                    .isEqualTo("step_1");
        }
    }

    @Test
    void refusesWhoMayNotReadTheRun() {
        // given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var path = "/v1/flow-runs/" + flow.run(json("{}")).path("id").asText() + "/events";
        var stranger = server.signUp("eve@example.com", "Eve");

        // then
        assertThat(server.anonymous().get(path).status()).isIn(401, 403);
        assertThat(stranger.api().get(path).status()).isEqualTo(403);
        assertThat(owner.api().get("/v1/flow-runs/" + Ids.next() + "/events").status())
                .isEqualTo(404);
    }

    @Test
    void breaksStreamsOff_whenTheServerStops() {
        // given
        var other = ServerSettings.localCalls().startInRealTime();
        var ada = other.signUp("ada@example.com", "Ada");
        var flow = LiveFlow.publish(ada, webhook().http("step_1", "GET", outside.url("/held")));
        flow.call(json("{}"));
        outside.awaitCalls(1);

        // when
        try (var reader = EventReader.open(ada.api(), "/v1/flow-runs/" + flow.newestId() + "/events", null)) {
            reader.awaitCount("run", 1);
            other.stopServer();

            // then the reader can distinguish this end from the end of the run
            reader.awaitEnd();
            assertThat(reader.statuses()).containsExactly("RUNNING");
            assertThat(reader.events().getLast().name()).isEqualTo("cut off");
        }
        other.close();
    }

    @Test
    void showsHowFarItHasCome_whileItIsUnderWay() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code(
                                "step_1",
                                "export const code = async (inputs) => inputs;",
                                "{'xs':'{{trigger.output.body.xs}}'}")
                        .loop(
                                "step_2",
                                "{{step_1.output.xs}}",
                                steps().map("step_3", "{'x':'{{step_2.output.item}}'}")
                                        .http("step_4", "POST", outside.url("/held")))
                        .map("step_5", "{}"));

        // when
        flow.call(json("{'xs':[7,8]}"));
        outside.awaitCalls(1);
        var seen = flow.newest();

        // then
        assertThat(seen.path("status").asText()).isEqualTo("RUNNING");
        assertThat(seen.path("stepsCount").asInt()).isEqualTo(2);
        assertThat(seen.at("/steps/trigger/output/body")).isEqualTo(json("{'xs':[7,8]}"));
        assertThat(seen.at("/steps/step_1/status").asText()).isEqualTo("SUCCEEDED");
        var iteration = seen.at("/steps/step_2/output/iterations/0");
        assertThat(iteration.at("/step_3/output/x").asInt()).isEqualTo(7);
        assertThat(iteration.at("/step_4/status").asText()).isEqualTo("RUNNING");
        assertThat(seen.path("steps").has("step_5")).isFalse();

        // when
        Waiting.until("both calls are answered", () -> {
            outside.release();
            return flow.runs().getFirst().path("status").asText().equals("SUCCEEDED");
        });

        // then
        assertThat(outside.paths()).hasSize(2);
        assertThat(flow.ended(1)
                        .at("/steps/step_2/output/iterations/1/step_4/status")
                        .asText())
                .isEqualTo("SUCCEEDED");
    }
}
