package io.millrace.integration.live;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ChannelClient;
import io.millrace.support.LiveFlow;
import io.millrace.support.PolledChannel;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Live channel of a project whose members are at two nodes of one database. */
class LiveOverNodesIT {
    @AutoClose
    private static TestServer first = ServerSettings.openSignUpAndLocalCalls().startInRealTime();

    private static SignedIn ada = first.signUp("ada@example.com", "Ada").inTeam("Mill");
    private static SignedIn bob = member("bob@example.com", "Bob");

    @AutoClose
    private static TestServer second = first.successor();

    @AutoClose
    private Outside outside = Outside.start();

    private static SignedIn member(String email, String name) {
        var joined = first.signUp(email, name);
        first.join(joined, ada.projectId(), "Editor");
        return new SignedIn(joined.api(), joined.userId(), joined.platformId(), ada.projectId());
    }

    private static ObjectNode page(String id) {
        return Json.object().put("resourceId", id);
    }

    @Test
    void letsOneHoldALock_whicheverNodeTheOthersAreAt() {
        try (var here = ChannelClient.of(first, ada);
                var there = ChannelClient.of(second, bob)) {
            // when
            var mine = here.ask(1, "LOCK_RESOURCE", page("flow-1"));
            there.awaitCount("RESOURCE_LOCKED", 1);
            var theirs = there.ask(1, "LOCK_RESOURCE", page("flow-1"));
            var forced = there.ask(2, "LOCK_RESOURCE", page("flow-1").put("force", true));

            // then
            assertThat(mine.path("acquired").asBoolean()).isTrue();
            assertThat(theirs.path("acquired").asBoolean()).isFalse();
            assertThat(theirs.at("/lock/userId").asText()).isEqualTo(ada.userId());
            assertThat(forced.path("acquired").asBoolean()).isTrue();
            here.awaitCount("RESOURCE_LOCKED", 2);
            assertThat(here.events("RESOURCE_LOCKED"))
                    .extracting(it -> it.path("userDisplayName").asText())
                    .containsExactly("Ada Miller", "Bob Miller");

            // when the holder releases it
            there.emit("UNLOCK_RESOURCE", page("flow-1"));

            // then
            assertThat(here.awaitEvent("RESOURCE_UNLOCKED").path("resourceId").asText())
                    .isEqualTo("flow-1");
            assertThat(here.ask(2, "LOCK_RESOURCE", page("flow-1"))
                            .path("acquired")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void showsWhoIsThere_whicheverNodeTheyAreAt() {
        try (var here = ChannelClient.of(first, ada)) {
            here.emit("JOIN_PRESENCE", page("flow-2"));
            awaitPresent(here, "flow-2", 1);
            try (var there = ChannelClient.of(second, bob)) {
                there.emit("JOIN_PRESENCE", page("flow-2"));
                awaitPresent(here, "flow-2", 2);
                awaitPresent(there, "flow-2", 2);
            }
            // The other one has disconnected without a message.
            awaitPresent(here, "flow-2", 1);
        }
    }

    @Test
    void forgetsTheEditorsOfANodeThatHasEnded() {
        try (var here = ChannelClient.of(first, ada);
                var third = first.successor()) {
            try (var there = ChannelClient.of(third, bob)) {
                there.ask(1, "LOCK_RESOURCE", page("flow-3"));
                there.emit("JOIN_PRESENCE", page("flow-3"));
                awaitPresent(here, "flow-3", 1);
            }
            // Row left by a node that crashed
            first.execute("""
                    insert into editor_lock (project_id, resource_id, member_id, node_id, user_id, display_name)
                    values ($1, 'flow-4', 'member', 'gone', $2, 'Bob Miller')
                    """, ada.projectId(), bob.userId());
            third.stopServer();
            assertThat(here.awaitEvent("RESOURCE_UNLOCKED").path("resourceId").asText())
                    .isIn("flow-3", "flow-4");
            Waiting.until("nobody holds it", () -> first.count("select count(*) from editor_lock") == 0);
            awaitPresent(here, "flow-3", 0);
        }
    }

    private static void awaitPresent(ChannelClient channel, String resourceId, int people) {
        Waiting.until(people + " at " + resourceId, () -> {
            var told = channel.events("PRESENCE_UPDATED").stream()
                    .filter(it -> it.path("resourceId").asText().equals(resourceId))
                    .toList();
            return !told.isEmpty() && told.getLast().path("users").size() == people;
        });
    }

    @Test
    void reportsTheStepsOfARunThatTheOtherNodeExecutes() {
        // given
        var flow = LiveFlow.draft(
                ada,
                webhook()
                        .http("step_1", "GET", outside.url("/held"))
                        .map("step_2", "{'second':'{{step_1.output.status}}'}")
                        .map("step_3", "{'third':true}"));
        var version = Json.object()
                .put("flowVersionId", ada.api().get("/v1/flows/" + flow.id()).text("/version/id"));
        try (var here = ChannelClient.of(first, ada);
                var there = ChannelClient.of(second, bob)) {
            // when
            var run = here.ask(1, "TEST_FLOW_RUN", version);
            there.awaitEvent("TEST_FLOW_RUN_STARTED");
            outside.awaitCalls(1);
            // Steps are reported after the executing node knows that a client subscribes.
            Waiting.until(
                    "the executing step is reported",
                    () -> there.events("UPDATE_RUN_PROGRESS").stream()
                            .anyMatch(it -> it.at("/step/name").asText().equals("trigger")));
            outside.release();

            // then
            Waiting.until("the end is reported", () -> hasEnded(there, run));
            assertThat(there.events("UPDATE_RUN_PROGRESS"))
                    .filteredOn(it -> it.has("step"))
                    .extracting(it -> it.at("/step/name").asText())
                    .contains("trigger", "step_1", "step_2", "step_3");
        }
    }

    private static boolean hasEnded(ChannelClient channel, JsonNode run) {
        return channel.events("UPDATE_RUN_PROGRESS").stream()
                .anyMatch(it -> it.at("/flowRun/id").equals(run.path("id"))
                        && it.at("/flowRun/status").asText().equals("SUCCEEDED"));
    }

    @Test
    void servesAClientWithoutAWebSocket_whoseRequestsComeInAtEitherNode() {
        // given a session at one node
        var flow = LiveFlow.draft(ada, webhook().map("step_1", "{}"));
        var client = PolledChannel.open(first.anonymous());
        var elsewhere = client.at(second.anonymous());

        // when it connects, requests and listens by alternating requests to both
        assertThat(elsewhere
                        .bring("40"
                                + Json.object().put("token", ada.api().token()).put("projectId", ada.projectId()))
                        .status())
                .isEqualTo(200);
        elsewhere.await("40{");
        client.bring("421[\"TEST_FLOW_RUN\","
                + Json.object()
                        .put(
                                "flowVersionId",
                                ada.api().get("/v1/flows/" + flow.id()).text("/version/id"))
                + "]");

        // then
        assertThat(elsewhere.await("431[")).contains("\"environment\":\"TESTING\"");
        assertThat(elsewhere.await("42[\"FLOW_RUN_PROGRESS\"")).contains("runId");
        assertThat(elsewhere.bring("1").status()).isEqualTo(200);
        Waiting.until("the session is over", () -> elsewhere.fetch().status() == 400);
        assertThat(elsewhere.bring("3").status()).isEqualTo(400);
    }

    @Test
    void refusesTheSessionOfANodeThatIsNotThere() {
        var session = "0".repeat(42);
        assertThat(first.anonymous()
                        .get("/socket.io?EIO=4&transport=polling&sid=" + session)
                        .status())
                .isEqualTo(400);
    }
}
