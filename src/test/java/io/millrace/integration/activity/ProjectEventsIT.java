package io.millrace.integration.activity;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.EventReader;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Events of a project as a stream, and streams that the server ends or refuses. */
@Slow(Slow.Reason.DURATION)
class ProjectEventsIT {
    @AutoClose
    private static TestServer server =
            ServerSettings.openSignUp().with("AP_EVENT_LISTENERS_MAX", "3").startInRealTime();

    private static final TestServer.SignedIn ADA = server.signUp("ada@example.com", "Ada");

    private final TestServer.SignedIn owner = ADA.inTeam("Mills");

    private static FlowScript failing() {
        return webhook().loop("step_1", "{{trigger.output.body.xs}}", FlowScript.steps());
    }

    private EventReader open(TestServer at, String lastId) {
        var reader = EventReader.open(owner.api().at(at), "/v1/projects/" + owner.projectId() + "/events", lastId);
        if (lastId == null) {
            awaitNamed(reader, "ready", 1);
        }
        return reader;
    }

    private static void awaitNamed(EventReader reader, String name, int count) {
        Waiting.until(count + " events " + name, () -> named(reader, name).size() >= count);
    }

    private static List<EventReader.Event> named(EventReader reader, String name) {
        return reader.events().stream()
                .filter(event -> event.name().equals(name))
                .toList();
    }

    private static Set<String> endedRuns(List<EventReader.Event> events) {
        return events.stream()
                .filter(event -> event.name().equals("run") && event.data().has("finishTime"))
                .map(event -> event.data().path("id").asText())
                .collect(Collectors.toSet());
    }

    @Test
    void reportsRunsFailuresAndPublications() {
        // given
        var flow = LiveFlow.publish(owner, failing());
        try (var reader = open(server, null)) {
            // when
            var good = flow.run(json("{'xs':[]}"));
            var bad = flow.run(json("{'xs':1}"));
            flow.change(failing().map("step_2", "{}"));
            flow.publish();

            // then
            awaitNamed(reader, "publication", 1);
            assertThat(endedRuns(reader.events()))
                    .containsExactlyInAnyOrder(
                            good.path("id").asText(), bad.path("id").asText());
            assertThat(named(reader, "failure")).singleElement().satisfies(event -> {
                assertThat(event.data().path("runId").asText())
                        .isEqualTo(bad.path("id").asText());
                assertThat(event.data().path("stepName").asText()).isEqualTo("step_1");
            });
            var ids = reader.events().stream()
                    .filter(event -> event.id() != null)
                    .map(event -> EventPosition.parse(event.id()).orElseThrow())
                    .toList();
            assertThat(ids).isSorted();
        }
    }

    @Test
    void reportsTheStepsOfARun_beforeItsEnd() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .loop(
                                "step_1",
                                "{{trigger.output.body.xs}}",
                                FlowScript.steps().map("step_2", "{'a':1}")));
        var path = "/v1/projects/" + owner.projectId() + "/events?steps=true";
        try (var reader = EventReader.open(owner.api(), path, null);
                var other = open(server, null)) {
            awaitNamed(reader, "ready", 1);

            // when
            var run = flow.run(json("{'xs':[1,2]}")).path("id").asText();

            // then
            Waiting.until("the end", () -> endedRuns(reader.events()).contains(run));
            var steps = named(reader, "step").stream()
                    .map(event -> event.data().path("number").asInt() + " "
                            + event.data().path("name").asText() + event.data().path("path") + " "
                            + event.data().at("/output/status").asText())
                    .toList();
            assertThat(steps)
                    .containsExactly(
                            "1 trigger[] SUCCEEDED",
                            "2 step_1[] SUCCEEDED",
                            "3 step_2[[\"step_1\",0]] SUCCEEDED",
                            "4 step_2[[\"step_1\",1]] SUCCEEDED");
            assertThat(named(reader, "step")).allSatisfy(event -> {
                assertThat(event.id()).isNull();
                assertThat(event.data().path("runId").asText()).isEqualTo(run);
                assertThat(event.data().path("output").has("output")).isFalse();
            });
            Waiting.until("the end", () -> endedRuns(other.events()).contains(run));
            assertThat(named(other, "step")).isEmpty();

            // when
            var before = reader.events().stream()
                    .filter(event -> event.name().equals("run"))
                    .toList();
            try (var again = EventReader.open(
                    owner.api(), path, before.get(before.size() - 2).id())) {
                // then
                awaitNamed(again, "step", 4);
            }
        }
    }

    @Test
    void reportsRunsWithAnUnreadableLog_withoutTheirSteps() {
        // given
        var flow = LiveFlow.publish(owner, failing());
        var path = "/v1/projects/" + owner.projectId() + "/events?steps=true";
        try (var reader = EventReader.open(owner.api(), path, null)) {
            awaitNamed(reader, "ready", 1);
            var first = flow.run(json("{'xs':[]}")).path("id").asText();
            Waiting.until("the first end", () -> endedRuns(reader.events()).contains(first));
            var position = reader.events().getFirst().id();
            server.execute("update ended_run set log = '\\x00ff00ff' where id = '" + first + "'");

            // when
            try (var again = EventReader.open(owner.api(), path, position)) {
                var second = flow.run(json("{'xs':[]}")).path("id").asText();

                // then
                Waiting.until("both ends", () -> endedRuns(again.events()).containsAll(Set.of(first, second)));
                assertThat(named(again, "step"))
                        .isNotEmpty()
                        .allMatch(step -> step.data().path("runId").asText().equals(second));
            }
        }
    }

    @Test
    void waitsForAClientThatIsSlow_withSteps() {
        // given steps of 4 MB
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .loop(
                                "step_1",
                                "{{trigger.output.body.xs}}",
                                FlowScript.steps().map("step_2", "{'a':1}")));
        try (var reader =
                EventReader.open(owner.api(), "/v1/projects/" + owner.projectId() + "/events?steps=true", null)) {
            awaitNamed(reader, "ready", 1);
            var numbers = Json.object();
            for (var number = 0; number < 1_000; number++) {
                numbers.withArray("xs").add(number);
            }

            // when
            var runs = 20;
            for (var run = 0; run < runs; run++) {
                flow.call(numbers);
            }

            // then
            Waiting.until("all ends", () -> endedRuns(reader.events()).size() == runs);
            assertThat(named(reader, "closed")).isEmpty();
            assertThat(named(reader, "step").size()).isGreaterThanOrEqualTo(runs * 1_000);
        }
    }

    @Test
    void recordsNothing_withoutListeners() {
        LiveFlow.publish(owner, failing()).run(json("{'xs':[]}"));

        assertThat(server.count("select count(*) from project_event where project_id = $1", owner.projectId()))
                .isZero();
    }

    @Test
    void disablesTheTriggers_afterTheLastListener() {
        try (var _ = open(server, null)) {
            assertThat(disabledTriggers()).isZero();
        }

        server.execute("delete from event_listener");

        assertThat(disabledTriggers()).isEqualTo(3);
    }

    private static long disabledTriggers() {
        return server.count("select count(*) from pg_trigger where tgenabled = 'D' and tgparentid = 0"
                + " and tgname in ('project_event_begun', 'project_event_changed', 'project_event_ended')");
    }

    @Test
    void reportsLostEvents_whenThePositionIsUnknown() {
        for (var lastId : List.of("1-1", "999999999999-1", "nonsense")) {
            try (var reader = open(server, lastId)) {
                awaitNamed(reader, "ready", 1);
            }
        }
    }

    @Test
    void endsTheStream_whenTheClientLosesAccess() {
        // given
        var project = owner;
        var member = server.signUp("bob@example.com", "Bob");
        server.join(member, project.projectId(), "Viewer");
        try (var reader = EventReader.open(member.api(), "/v1/projects/" + project.projectId() + "/events", null)) {
            awaitNamed(reader, "ready", 1);

            // when
            var row = server.text("select id from project_member where project_id = $1", project.projectId());
            assertThat(owner.api().delete("/v1/project-members/" + row).status())
                    .isLessThan(300);

            // then
            awaitNamed(reader, "closed", 1);
            assertThat(named(reader, "closed").getFirst().data().path("reason").asText())
                    .isEqualTo("accessEnded");
        }
    }

    @Test
    void endsEachStream_whenTheTokenIsRevoked() {
        // given a stream of the project and one of a run that waits
        var robot = owner.withApiKey();
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 1_000));
        flow.call(json("{}"));
        var ofRun = "/v1/flow-runs/" + flow.newestId() + "/events";
        try (var project = EventReader.open(robot, "/v1/projects/" + owner.projectId() + "/events", null);
                var run = EventReader.open(robot, ofRun, null)) {
            awaitNamed(project, "ready", 1);
            awaitNamed(run, "run", 1);

            // when
            var keys = owner.api().get("/v1/api-keys").body().path("data");
            keys.forEach(
                    key -> owner.api().delete("/v1/api-keys/" + key.path("id").asText()));

            // then
            for (var reader : List.of(project, run)) {
                awaitNamed(reader, "closed", 1);
                assertThat(named(reader, "closed")
                                .getFirst()
                                .data()
                                .path("reason")
                                .asText())
                        .isEqualTo("accessEnded");
            }
        }
    }

    @Test
    void refusesMoreListenersThanTheLimit() {
        var path = "/v1/projects/" + owner.projectId() + "/events";
        try (var one = open(server, null);
                var two = open(server, null);
                var three = open(server, null)) {
            assertThat(List.of(one, two, three)).hasSize(3);
            var refused = owner.api().get(path);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.toString()).contains("AP_EVENT_LISTENERS_MAX");
        }
        Waiting.until("a place is free", () -> {
            try (var again = open(server, "1-1")) {
                awaitNamed(again, "ready", 1);
                return true;
            } catch (AssertionError refused) {
                return false;
            }
        });
    }

    @Test
    void refusesClientsThatMayNotReadTheProject() {
        var path = "/v1/projects/" + owner.projectId() + "/events";
        var other = server.signUp("eve@example.com", "Eve");

        assertThat(server.anonymous().get(path).status()).isIn(401, 403);
        assertThat(other.api().get(path).status()).isEqualTo(403);
    }

    /**
     * Lets the server read events several times, once a second: a listener is live after the first read, and is ended
     * by a later one.
     */
    private static void awaitRounds(int rounds) {
        var begun = System.nanoTime();
        Waiting.until(rounds + " rounds", () -> System.nanoTime() - begun > rounds * 1_000_000_000L);
    }

    @Test
    void namesTheReason_whenAClientIsTooSlow() {
        // given events of 40 MB for a client that reads nothing meanwhile
        try (var slow = SlowClient.open(server, owner)) {
            slow.awaitReady();
            awaitRounds(3);
            var body = Json.text(Json.object().put("text", "x".repeat(400_000)));
            for (var event = 0; event < 100; event++) {
                server.execute(
                        "insert into project_event (project_id, kind, body) values ($1, 'run', $2)",
                        owner.projectId(),
                        body);
            }

            awaitRounds(6);

            // then
            assertThat(slow.rest()).contains("event: closed\ndata: {\"reason\":\"slowListener\"}\n\n");
        }
    }
}
