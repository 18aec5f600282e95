package io.millrace.integration.live;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ChannelClient;
import io.millrace.support.LiveFlow;
import io.millrace.support.PolledChannel;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Live channel of a project (contract flows-and-engine 31). */
class LiveIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static SignedIn ada = server.signUp("ada@example.com", "Ada").inTeam("Mill");
    private static SignedIn bob;

    @BeforeAll
    static void start() {
        var member = server.signUp("bob@example.com", "Bob");
        bob = new SignedIn(member.api(), member.userId(), member.platformId(), ada.projectId());
        server.join(member, ada.projectId(), "Viewer");
    }

    private static ObjectNode version(LiveFlow flow) {
        var found = ada.api().get("/v1/flows/" + flow.id());
        return Json.object().put("flowVersionId", found.text("/version/id"));
    }

    @Test
    void reportsATest_toAllClientsOfTheProject() {
        // given
        var flow = LiveFlow.draft(
                ada, webhook().loop("step_1", "{{[7,8]}}", steps().map("step_2", "{'v':'{{step_1.output.item}}'}")));
        try (var first = ChannelClient.of(server, ada);
                var second = ChannelClient.of(server, bob)) {
            // when
            var run = first.ask(1, "TEST_FLOW_RUN", version(flow));

            // then
            assertThat(run.path("environment").asText()).isEqualTo("TESTING");
            for (var member : new ChannelClient[] {first, second}) {
                assertThat(member.awaitEvent("TEST_FLOW_RUN_STARTED").path("id"))
                        .isEqualTo(run.path("id"));
                Waiting.until(
                        "the end of the run is reported",
                        () -> member.events("UPDATE_RUN_PROGRESS").stream()
                                .anyMatch(
                                        it -> it.at("/flowRun/status").asText().equals("SUCCEEDED")));
                assertThat(member.awaitEvent("FLOW_RUN_PROGRESS").path("runId")).isEqualTo(run.path("id"));
                assertThat(member.events("TEST_FLOW_RUN_STARTED")).hasSize(1);
            }
        }
    }

    @Test
    void tellsOnceOfADraftWhoseCallerWaits() {
        // given
        var flow = LiveFlow.draft(ada, webhook().map("step_1", "{'v':1}").returnJson("step_2", "{'a':1}"));
        try (var editor = ChannelClient.of(server, bob)) {
            editor.ask(1, "LOCK_RESOURCE", Json.object().put("resourceId", "so that it listens"));

            // when
            flow.callAsync("/draft", json("{}")).join();
            var answered = flow.callAsync("/draft/sync", json("{}")).join();

            // then
            assertThat(answered.status()).isEqualTo(200);
            var told = editor.awaitEvent("TEST_FLOW_RUN_STARTED");
            assertThat(told.path("flowId").asText()).isEqualTo(flow.id());
            assertThat(told.path("environment").asText()).isEqualTo("TESTING");
            Waiting.until(
                    "the end of the run is reported",
                    () -> editor.events("UPDATE_RUN_PROGRESS").stream()
                            .anyMatch(it -> it.at("/flowRun/status").asText().equals("SUCCEEDED")));
            assertThat(editor.events("TEST_FLOW_RUN_STARTED")).hasSize(1);
        }
    }

    @Test
    void notifiesOpenEditors_whenAFlowHasChanged() {
        // given
        var flow = LiveFlow.draft(ada, webhook().map("step_1", "{'v':1}"));
        try (var editor = ChannelClient.of(server, bob)) {
            editor.ask(1, "LOCK_RESOURCE", Json.object().put("resourceId", "so that it listens"));

            // when
            var request = Json.object().put("type", "CHANGE_NAME");
            request.putObject("request").put("displayName", "Renamed through the API");
            var changed = ada.api().post("/v1/flows/" + flow.id(), request);

            // then
            var event = editor.awaitEvent("FLOW_CHANGED");
            assertThat(event.path("flowId").asText()).isEqualTo(flow.id());
            assertThat(event.path("versionId").asText()).isEqualTo(changed.text("/version/id"));
            assertThat(event.path("versionUpdated").asText()).isEqualTo(changed.text("/version/updated"));
        }
    }

    @Test
    void notifiesSubscribersOfTheList_ofChangedRuns() {
        // given
        var flow = LiveFlow.publish(ada, webhook().map("step_1", "{'v':1}"));
        try (var looking = ChannelClient.of(server, bob);
                var other = ChannelClient.of(server, ada)) {
            looking.emit("WATCH_RUNS", Json.object());
            looking.emit("WATCH_RUNS", Json.object());
            looking.ask(1, "LOCK_RESOURCE", Json.object().put("resourceId", "behind the request"));

            // when
            flow.call(Json.object());

            // then
            var told = looking.awaitEvent("RUNS_CHANGED");
            assertThat(told.path("more").asBoolean()).isFalse();
            assertThat(told.path("runIds")).hasSize(1);
            assertThat(told.at("/runIds/0").asText()).isEqualTo(flow.newestId());
            assertThat(other.events("RUNS_CHANGED")).isEmpty();
        }
    }

    @Test
    void notifiesSubscribersOfTables_ofChangedRecords() {
        // given
        var definition = Json.object().put("projectId", ada.projectId()).put("name", "Orders");
        var tableId = ada.api().post("/v1/tables", definition).text("/id");
        try (var looking = ChannelClient.of(server, bob);
                var other = ChannelClient.of(server, ada)) {
            looking.ask(1, "WATCH_TABLES", Json.object());
            looking.ask(2, "WATCH_TABLES", Json.object());

            // when
            var records = Json.object().put("tableId", tableId);
            records.putArray("records").addArray();
            var recordId = ada.api().post("/v1/records", records).text("/0/id");
            looking.awaitEvent("TABLE_CHANGED");
            ada.api().post("/v1/tables/" + tableId + "/clear", Json.object());

            // then
            Waiting.until(
                    "the emptied table is reported",
                    () -> looking.events("TABLE_CHANGED").stream()
                            .anyMatch(told -> told.path("more").asBoolean()));
            var told = looking.events("TABLE_CHANGED");
            assertThat(told).hasSize(2);
            assertThat(told.getFirst())
                    .isEqualTo(json("{'tableId':'" + tableId + "','more':false,'recordIds':['" + recordId + "']}"));
            assertThat(other.events("TABLE_CHANGED")).isEmpty();
        }
    }

    @Test
    void reportsTheResultOfATestedStep() {
        // given
        var flow = LiveFlow.draft(
                ada,
                webhook()
                        .code("step_1", "export const code = async () => { console.log('hello'); return 42; }")
                        .code("step_2", "export const code = async () => { throw new Error('broken'); }"));
        var test = version(flow).put("projectId", ada.projectId());
        try (var channel = ChannelClient.of(server, bob)) {
            // when
            var good =
                    ada.api().post("/v1/sample-data/test-step", test.deepCopy().put("stepName", "step_1"));
            channel.awaitCount("TEST_STEP_FINISHED", 1);
            var bad =
                    ada.api().post("/v1/sample-data/test-step", test.deepCopy().put("stepName", "step_2"));
            channel.awaitCount("TEST_STEP_FINISHED", 2);

            // then
            var told = channel.events("TEST_STEP_FINISHED");
            var kept = ada.api()
                    .get("/v1/flows/" + flow.id())
                    .body()
                    .at("/version/trigger/nextAction/settings/sampleData");
            assertThat(told.getFirst())
                    .isEqualTo(json("{'runId':'" + good.text("/id") + "','projectId':'" + ada.projectId()
                            + "','success':true,'input':{},'output':42,'standardOutput':'hello','standardError':''"
                            + ",'sampleDataFileId':'"
                            + kept.path("sampleDataFileId").asText()
                            + "','sampleDataInputFileId':'"
                            + kept.path("sampleDataInputFileId").asText() + "'}"));
            assertThat(told.getLast().has("sampleDataFileId")).isFalse();
            assertThat(told.getLast().path("runId").asText()).isEqualTo(bad.text("/id"));
            assertThat(told.getLast().path("success").asBoolean()).isFalse();
            assertThat(told.getLast().path("output").asText()).contains("broken");
            assertThat(channel.events("TEST_FLOW_RUN_STARTED")).isEmpty();
            var begun = channel.events("TEST_STEP_PROGRESS");
            assertThat(begun).hasSize(2);
            assertThat(begun.getFirst())
                    .isEqualTo(json("{'runId':'" + good.text("/id") + "','projectId':'" + ada.projectId()
                            + "','success':true,'input':{},'output':null,'standardOutput':'','standardError':''}"));
        }
    }

    /** No worker executes such a run, so the code that ends it must send the notification. */
    @Test
    void reportsTheEndOfATest_whoseRunIsSetAside() {
        // given
        var flow = LiveFlow.draft(ada, webhook().waitForApproval("step_1"));
        var test = version(flow).put("projectId", ada.projectId()).put("stepName", "step_1");
        try (var channel = ChannelClient.of(server, bob)) {
            var runId = ada.api().post("/v1/sample-data/test-step", test).text("/id");
            Waiting.until(
                    "the step waits",
                    () -> ada.api()
                            .get("/v1/flow-runs/" + runId)
                            .text("/status")
                            .equals("PAUSED"));

            // when it is taken over as if it had ended many servers
            server.execute("update run set status = 'RUNNING', owner = '', crashes = 100 where id = $1", runId);

            // then
            assertThat(channel.awaitEvent("TEST_STEP_FINISHED"))
                    .isEqualTo(json("{'runId':'" + runId + "','projectId':'" + ada.projectId()
                            + "','success':false,'input':{},'output':null,'standardOutput':'','standardError':''}"));
        }
    }

    @Test
    void countsNoLock_thatCouldNotBeHad() {
        // given resources that the database refuses to lock
        server.execute("alter table editor_lock add check (resource_id not like 'broken %')");
        try (var channel = ChannelClient.of(server, ada)) {
            for (var number = 1; number <= 100; number++) {
                var refused = channel.ask(number, "LOCK_RESOURCE", Json.object().put("resourceId", "broken " + number));
                assertThat(refused.has("acquired")).isFalse();
            }

            // when
            var locked = channel.ask(101, "LOCK_RESOURCE", Json.object().put("resourceId", "whole"));

            // then
            assertThat(locked.path("acquired").asBoolean())
                    .as(locked.toString())
                    .isTrue();
        }
    }

    @Test
    void tellsOfBadges_andOfPiecesThatCameOrWent() {
        // given a user without badges
        var carol = server.signUp("carol@example.com", "Carol");
        var room = new SignedIn(ada.api(), ada.userId(), carol.platformId(), carol.projectId());
        try (var channel = ChannelClient.of(server, room);
                var elsewhere = ChannelClient.of(server, bob)) {
            // when
            LiveFlow.publish(carol, webhook().map("step_1", "{'v':1}"));
            ada.api().post("/v1/pieces/sync", Json.object());

            // then
            channel.awaitCount("BADGE_AWARDED", 2);
            assertThat(channel.events("BADGE_AWARDED"))
                    .containsExactlyInAnyOrder(
                            json("{'badge':'first-build','userId':'" + carol.userId() + "'}"),
                            json("{'badge':'webhook-wizard','userId':'" + carol.userId() + "'}"));
            elsewhere.awaitCount("REFRESH_PIECE", 1);
            assertThat(elsewhere.events("REFRESH_PIECE").getFirst().isMissingNode())
                    .isTrue();
            assertThat(elsewhere.events("BADGE_AWARDED")).isEmpty();
        }
    }

    @Test
    void startsAFlowByHand() {
        // given
        var flow = LiveFlow.publish(ada, webhook().map("step_1", "{'a':1}"));
        try (var channel = ChannelClient.of(server, ada)) {
            // when
            channel.emit("MANUAL_TRIGGER_RUN_STARTED", version(flow));

            // then
            var run = channel.awaitEvent("MANUAL_TRIGGER_RUN_STARTED");
            assertThat(run.path("environment").asText()).isEqualTo("PRODUCTION");
            assertThat(run.path("triggeredBy").asText()).isEqualTo(ada.userId());
            assertThat(flow.ended(1).path("id")).isEqualTo(run.path("id"));
        }
    }

    @Test
    void refusesClientsWithoutReadPermission() {
        // given
        var stranger = server.signUp("eve@example.com", "Eve");
        var eve = new SignedIn(stranger.api(), stranger.userId(), stranger.platformId(), ada.projectId());
        var foreigner = server.foreigner();

        // when, then
        assertRefused("40{}");
        assertRefused("40" + json("{'token':'nonsense','projectId':'" + ada.projectId() + "'}"));
        assertRefused("40");
        try (var channel = ChannelClient.open(server.port())) {
            channel.connect(tokenOf(foreigner), ada.projectId());
            assertThat(channel.await("44")).contains("message");
            channel.awaitClosed();
        }
        try (var channel = ChannelClient.open(server.port())) {
            channel.connect(tokenOf(eve), ada.projectId());
            assertThat(channel.await("44")).contains("message");
            channel.awaitClosed();
        }
    }

    private static String tokenOf(SignedIn user) {
        return user.api().token();
    }

    private static void assertRefused(String packet) {
        try (var channel = ChannelClient.open(server.port())) {
            channel.send(packet);
            assertThat(channel.await("44")).contains("message");
            channel.awaitClosed();
        }
    }

    @Test
    void dropsWhoeverDoesNotSpeakTheProtocol() {
        for (var packet : new String[] {"hello", "42[\"TEST_FLOW_RUN\",{}]", "451-[\"x\"]", "40{bad", "4", "1"}) {
            try (var channel = ChannelClient.open(server.port())) {
                assertThat(channel.await("0{")).contains("\"pingInterval\":25000", "\"upgrades\":[]");
                channel.send(packet);
                channel.awaitClosed();
            }
        }
        try (var channel = ChannelClient.open(server.port())) {
            channel.send("40/admin,{}");
            assertThat(channel.await("44/admin,")).contains("Invalid namespace");
        }
        assertThat(server.anonymous()
                        .get("/socket.io?EIO=4&transport=websocket")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void goesByRequestsToAClientWithoutAWebSocket() {
        // given
        var flow = LiveFlow.draft(ada, webhook().map("step_1", "{}"));
        var client = PolledChannel.open(server.anonymous());

        // when
        client.bring("40" + Json.object().put("token", ada.api().token()).put("projectId", ada.projectId()));
        client.await("40{");
        client.bring(
                "421[\"TEST_FLOW_RUN\"," + version(flow) + "]", "42[\"JOIN_PRESENCE\",{\"resourceId\":\"polled\"}]");

        // then
        assertThat(client.await("431[")).contains("\"environment\":\"TESTING\"");
        assertThat(client.await("42[\"PRESENCE_UPDATED\"")).contains("polled");
        assertThat(client.await("42[\"FLOW_RUN_PROGRESS\"")).contains("runId");
        assertThat(client.bring("1").status()).isEqualTo(200);
        Waiting.until("the session is over", () -> client.fetch().status() == 400);
        assertThat(client.bring("3").status()).isEqualTo(400);
    }

    @Test
    void refusesAPolledSessionThatMayNotComeIn_andTellsItWhy() {
        // given
        var client = PolledChannel.open(server.anonymous());

        // when
        client.bring("40" + Json.object().put("token", "nobody's").put("projectId", ada.projectId()));

        // then
        assertThat(client.await("44")).contains("invalid access token");
        assertThat(client.fetch().status()).isEqualTo(400);
    }

    @Test
    void refusesRequestsThatDoNotSpeakTheProtocol() {
        for (var query : new String[] {"EIO=4", "EIO=3&transport=polling", "EIO=4&transport=polling&sid=nobody"}) {
            assertThat(server.anonymous().get("/socket.io?" + query).status())
                    .as(query)
                    .isEqualTo(400);
        }
        var tooLong = "x".repeat((1 << 20) + 1);
        assertThat(PolledChannel.open(server.anonymous()).bring(tooLong).status())
                .isEqualTo(400);
    }

    @Test
    void refusesWhatAWithdrawnPlatformRolePermitted() {
        // given an operator who is a viewer of the project
        var olga = server.signUp("olga@example.com", "Olga");
        server.join(olga, ada.projectId(), "Viewer");
        setRole(olga, "OPERATOR");
        var flow = LiveFlow.draft(ada, webhook().map("step_1", "{}"));
        try (var editor =
                ChannelClient.of(server, new SignedIn(olga.api(), olga.userId(), olga.platformId(), ada.projectId()))) {
            var permitted = editor.ask(1, "TEST_FLOW_RUN", version(flow));

            // when
            setRole(olga, "MEMBER");
            var refused = editor.ask(2, "TEST_FLOW_RUN", version(flow));

            // then
            assertThat(permitted.path("environment").asText()).isEqualTo("TESTING");
            assertThat(refused.path("code").asText()).isEqualTo("PERMISSION_DENIED");
        }
    }

    private static void setRole(SignedIn user, String role) {
        var changed = ada.api().post("/v1/users/" + user.userId(), Json.object().put("platformRole", role));
        assertThat(changed.status()).isEqualTo(200);
    }

    @Test
    void refusesWhatOneMayNotStart() {
        // given a viewer, and a version of another project
        var flow = LiveFlow.draft(ada, webhook().map("step_1", "{}"));
        var foreign = LiveFlow.draft(ada.inTeam("Other"), webhook().map("step_1", "{}"));
        try (var viewer = ChannelClient.of(server, bob);
                var owner = ChannelClient.of(server, ada)) {
            // when
            var forbidden = viewer.ask(1, "TEST_FLOW_RUN", version(flow));
            var elsewhere = owner.ask(1, "TEST_FLOW_RUN", version(foreign));
            var unknown = owner.ask(2, "TEST_FLOW_RUN", Json.object().put("flowVersionId", Ids.next()));
            owner.emit("TEST_FLOW_RUN", Json.object());
            viewer.emit("LOCK_RESOURCE", Json.object());

            // then
            assertThat(forbidden.path("code").asText()).isEqualTo("PERMISSION_DENIED");
            assertThat(elsewhere.path("code").asText()).isEqualTo("ENTITY_NOT_FOUND");
            assertThat(unknown.path("code").asText()).isEqualTo("ENTITY_NOT_FOUND");
            assertThat(owner.awaitEvent("ERROR").path("event").asText()).isEqualTo("TEST_FLOW_RUN");
            assertThat(viewer.awaitEvent("ERROR").path("event").asText()).isEqualTo("LOCK_RESOURCE");
            assertThat(flow.runs()).isEmpty();
        }
    }

    @Test
    void showsWhoEditsWhat() {
        // given
        var page = Json.object().put("resourceId", "flow-1");
        var second = ChannelClient.of(server, bob);
        try (var first = ChannelClient.of(server, ada)) {
            // when
            var mine = first.ask(1, "LOCK_RESOURCE", page);
            var theirs = second.ask(1, "LOCK_RESOURCE", page);
            var forced = second.ask(2, "LOCK_RESOURCE", page.deepCopy().put("force", true));
            first.emit("UNLOCK_RESOURCE", page);
            first.emit("JOIN_PRESENCE", page);
            second.emit("JOIN_PRESENCE", page);
            first.awaitCount("PRESENCE_UPDATED", 2);

            // then
            assertThat(mine.path("acquired").asBoolean()).isTrue();
            assertThat(theirs.path("acquired").asBoolean()).isFalse();
            assertThat(theirs.at("/lock/userId").asText()).isEqualTo(ada.userId());
            assertThat(forced.path("acquired").asBoolean()).isTrue();
            assertThat(first.events("RESOURCE_LOCKED"))
                    .extracting(it -> it.path("userDisplayName").asText())
                    .containsExactly("Ada Miller", "Bob Miller");
            assertThat(first.events("RESOURCE_UNLOCKED")).isEmpty();
            assertThat(first.awaitEvent("PRESENCE_UPDATED").path("users")).hasSize(2);

            // when the second client disconnects without a message
            second.close();

            // then
            first.awaitCount("PRESENCE_UPDATED", 3);
            assertThat(first.awaitEvent("PRESENCE_UPDATED")
                            .at("/users/0/userEmail")
                            .asText())
                    .isEqualTo("ada@example.com");
            assertThat(first.awaitEvent("RESOURCE_UNLOCKED").path("resourceId").asText())
                    .isEqualTo("flow-1");
        }
    }
}
