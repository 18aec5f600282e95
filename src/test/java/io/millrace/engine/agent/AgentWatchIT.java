package io.millrace.engine.agent;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.ChannelClient;
import io.millrace.support.EventReader;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.outside.Outside;
import io.millrace.support.piece.ToolSettings;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Progress events of a run whose step waits for an agent, for subscribers at two nodes (contract agents 3.3, flows-and-engine 31). */
class AgentWatchIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static Outside outside = Outside.start();

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().startInRealTime();

    private static SignedIn ada = server.signUp("ada@example.com", "Ada").inTeam("Mill");
    private static AgentCaller agents = new AgentCaller(ada);
    private static SignedIn bob = server.signUp("bob@example.com", "Bob");
    private static SignedIn eve = server.signUp("eve@example.com", "Eve");

    @AutoClose
    private static TestServer other = server.successor();

    @BeforeAll
    static void setUp() {
        model.serve(ada);
        server.join(bob, ada.projectId(), "Viewer");
    }

    private static LiveFlow flow() {
        var input = Json.object().put("prompt", "Call it, then tell.");
        input.putObject("aiProviderModel").put("provider", "custom").put("model", "mill-1");
        input.putArray("agentTools").add(ToolSettings.call("call", "GET", outside.url("/held")));
        return LiveFlow.draft(ada, webhook().piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", input));
    }

    /** Agent progress in the latest {@code UPDATE_RUN_PROGRESS} event of a channel. */
    private static JsonNode soFar(ChannelClient channel) {
        return channel.events("UPDATE_RUN_PROGRESS").stream()
                .filter(told -> told.at("/step/name").asText().equals("step_1"))
                .filter(told -> told.at("/step/output/status").asText().equals("PAUSED"))
                .map(told -> told.at("/step/output/output"))
                .reduce(MissingNode.getInstance(), (_, last) -> last);
    }

    /** Agent progress in the latest event of an event stream. */
    private static JsonNode soFar(EventReader reader) {
        return reader.events().stream()
                .filter(event -> event.data().path("name").asText().equals("step_1"))
                .map(event -> event.data().at("/output/output"))
                .reduce(MissingNode.getInstance(), (_, last) -> last);
    }

    private static void awaitAt(Supplier<JsonNode> seen, String path, String expected) {
        Waiting.until(
                path + " is " + expected, () -> seen.get().at(path).asText().equals(expected));
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    @Test
    void reportsTurnsAndCallsAsTheyHappen_toMembersOfTheProject() {
        // given a model that does not respond, and a user of another project
        model.holding();
        var flow = flow();
        try (var here = ChannelClient.of(server, ada);
                var elsewhere = ChannelClient.of(server, eve);
                var outsider = ChannelClient.open(server.port())) {
            // when
            var version = ada.api().get("/v1/flows/" + flow.id()).text("/version/id");
            var runId = here.ask(1, "TEST_FLOW_RUN", Json.object().put("flowVersionId", version))
                    .path("id")
                    .asText();
            awaitAt(() -> flow.run(runId), "/status", "PAUSED");
            var events = "/v1/flow-runs/" + runId + "/events";
            try (var there = EventReader.open(bob.api().at(other), events, null)) {
                // then the begin of the agent was reported
                awaitAt(() -> soFar(here), "/status", "IN_PROGRESS");
                awaitAt(() -> soFar(there), "/status", "IN_PROGRESS");

                // when the model calls a slow tool
                Waiting.until("the model is asked", () -> model.questions.size() == 1);
                var tool =
                        model.questions.getFirst().at("/tools/0/function/name").asText();
                model.answerHeld(ModelServer.calls(tool, "{}"));

                // then the call is reported as in progress
                awaitAt(() -> soFar(here), "/steps/0/status", "in-progress");
                awaitAt(() -> soFar(there), "/steps/0/status", "in-progress");
                assertThat(soFar(there).at("/steps/0/actionName").asText()).isEqualTo("send_request");
                assertThat(flow.run(runId).at("/steps/step_1/output/steps/0/toolName"))
                        .isEqualTo(soFar(here).at("/steps/0/toolName"));

                // when the call has ended
                outside.awaitCalls(1);
                outside.release();

                // then its result was reported before the model's next message
                awaitAt(() -> soFar(here), "/steps/0/status", "completed");
                awaitAt(() -> soFar(there), "/steps/0/output/body/ok", "true");
                assertThat(soFar(here).path("status").asText()).isEqualTo("IN_PROGRESS");

                // when the agent is done
                model.release(ModelServer.text("It answered."));
                awaitAt(() -> flow.run(runId), "/status", "SUCCEEDED");
                there.awaitEnd();

                // then the last event is the step's record
                Waiting.until(
                        "the step's record is reported",
                        () -> here.events("UPDATE_RUN_PROGRESS").stream()
                                .filter(told -> told.at("/step/name").asText().equals("step_1"))
                                .anyMatch(told ->
                                        told.at("/step/output/status").asText().equals("SUCCEEDED")));
                assertThat(there.statuses()).startsWith("PAUSED").endsWith("SUCCEEDED");
                assertThat(elsewhere.events("UPDATE_RUN_PROGRESS")).isEmpty();
                assertThat(eve.api().get(events).status()).isEqualTo(403);
                outsider.connect(eve.api().token(), ada.projectId());
                assertThat(outsider.await("44")).contains("message");
            }
        }
    }

    /** Agent progress in the latest {@code TEST_STEP_PROGRESS} event of a channel. */
    private static JsonNode tested(ChannelClient channel) {
        return channel.events("TEST_STEP_PROGRESS").stream()
                .filter(told -> told.path("output").isObject())
                .reduce(MissingNode.getInstance(), (_, last) -> last);
    }

    @Test
    void reportsTheProgressOfATestOfItsStep() {
        // given a model that does not respond
        model.holding();
        var flow = flow();
        var test = Json.object()
                .put("projectId", ada.projectId())
                .put("flowVersionId", ada.api().get("/v1/flows/" + flow.id()).text("/version/id"))
                .put("stepName", "step_1");
        try (var channel = ChannelClient.of(server, ada)) {
            // when
            var runId = ada.api().post("/v1/sample-data/test-step", test).text("/id");

            // then
            awaitAt(() -> tested(channel), "/output/status", "IN_PROGRESS");
            assertThat(tested(channel).path("runId").asText()).isEqualTo(runId);
            assertThat(channel.events("TEST_STEP_FINISHED")).isEmpty();

            // when
            Waiting.until("the model is asked", () -> model.questions.size() == 1);
            model.release(ModelServer.text("Nothing to call."));

            // then
            var finished = channel.awaitEvent("TEST_STEP_FINISHED");
            assertThat(finished.path("runId").asText()).isEqualTo(runId);
            assertThat(finished.path("success").asBoolean()).isTrue();
            assertThat(channel.events("UPDATE_RUN_PROGRESS")).isEmpty();
        }
    }

    @Test
    void isWatchedWhileItWorks_andFollowedOnWhereAReaderStopped() {
        // given
        var order = agents.order("Add two to five.");
        order.putArray("tools").add(ToolSettings.addition("add"));
        model.otherwise(question -> question.path("messages").size() < 3
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(), "{'first_number':5,'second_number':2}")
                : ModelServer.text("Seven."));
        var id = agents.start(order).text("/runId");

        // when
        try (var reader = EventReader.open(ada.api(), AgentCaller.RUNS + "/" + id + "/events", null)) {
            Waiting.until(
                    "the stream has ended",
                    () -> reader.events().stream()
                            .anyMatch(event ->
                                    Set.of("FINISHED", "ERROR", "cut off").contains(event.name())));

            // then
            assertThat(reader.events().stream()
                            .flatMap(event -> event.data().at("/event/data").valueStream())
                            .map(chunk -> chunk.path("type").asText())
                            .filter(type -> !type.isEmpty()))
                    .containsExactly(
                            "text-end", "tool-input-available", "tool-output-available", "text-delta", "text-end");
            assertThat(reader.events()
                            .getLast()
                            .data()
                            .at("/event/data/conversationId")
                            .asText())
                    .isEqualTo(id);
            assertThat(reader.events().getFirst().data().path("runId").asText()).isEqualTo(id);
        }

        // when a client that knows the first turn reconnects
        var known = "200001";
        try (var reader = EventReader.open(ada.api(), AgentCaller.RUNS + "/" + id + "/events", known)) {
            Waiting.until(
                    "the stream has ended",
                    () -> reader.events().stream()
                            .anyMatch(event -> event.name().equals("FINISHED")));

            // then no event is repeated
            assertThat(reader.events()).hasSize(1);
        }
    }
}
