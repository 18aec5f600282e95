package io.millrace.integration.activity;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.EventReader;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Events of a project across a restart, and from two nodes. */
@Slow(Slow.Reason.PROCESS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProjectEventNodesIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().startInRealTime();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

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

    @Order(1)
    @Test
    void reportsRunsOfTheOtherNode() {
        var flow = LiveFlow.publish(owner, failing());
        try (var second = server.successor();
                var reader = open(second, null)) {
            var ids = new ArrayList<String>();
            for (var round = 0; round < 10; round++) {
                var at = round % 2 == 0 ? flow : flow.at(second);
                ids.add(at.run(json("{'xs':[]}")).path("id").asText());
            }

            Waiting.until("all runs", () -> endedRuns(reader.events()).size() >= ids.size());
            assertThat(endedRuns(reader.events())).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Order(2)
    @Test
    void continuesWithoutAGap_afterARestart() {
        // Given
        var flow = LiveFlow.publish(owner, failing());
        List<EventReader.Event> before;
        try (var reader = open(server, null)) {
            flow.run(json("{'xs':[]}"));
            Waiting.until("an ended run", () -> !endedRuns(reader.events()).isEmpty());
            before = reader.events();
        }
        var lastId = before.getLast().id();
        var missed = flow.run(json("{'xs':[]}")).path("id").asText();

        // When
        server.stopServer();
        try (var next = server.successor()) {
            var after = flow.at(next).run(json("{'xs':[]}")).path("id").asText();
            try (var reader = open(next, lastId)) {
                Waiting.until(
                        "the missed runs", () -> endedRuns(reader.events()).size() >= 2);

                // Then
                assertThat(endedRuns(reader.events())).containsExactlyInAnyOrder(missed, after);
                assertThat(named(reader, "ready")).isEmpty();
            }
        }
    }
}
