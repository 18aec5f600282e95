package io.millrace.integration.activity;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Many listeners of a server, some of which reconnect repeatedly: each receives all events of its project. {@code
 * -Dmillrace.listeners} sets the number of listeners; memory and processor time are printed.
 */
@Slow(Slow.Reason.PROCESS)
class ProjectEventCrowdIT {
    private static final int LISTENERS = Integer.getInteger("millrace.listeners", 100);
    private static final int PROJECTS = 4;
    private static final int ROUNDS = 10;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K");

    /** Runs that succeed, fail, and pause. */
    private static final List<JsonNode> ORDERS = List.of(json("{'xs':[]}"), json("{'xs':1}"), json("{'xs':[1]}"));

    private static FlowScript flow() {
        return webhook()
                .loop("step_1", "{{trigger.output.body.xs}}", FlowScript.steps().delay("step_2", 1));
    }

    /** Stored event of a project. */
    private record StoredEvent(EventPosition position, String kind, String runId, String status) {}

    @Test
    void eachListenerReceivesAllEvents_alsoOverDroppedConnections() {
        try (var directory = DataDirectory.prepared();
                var server = ServerProcess.ofClasses(
                        directory.path(), Map.of("AP_EVENT_LISTENERS_MAX", Integer.toString(2 * LISTENERS)));
                var crowd = new ListenerCrowd(server.port(DEADLINE), 2 * LISTENERS)) {
            var script = flow().importOperation("Flow").path("request");
            var first = PublishedFlow.create(server.api(DEADLINE), script);
            var projects = Stream.concat(
                            Stream.of(first),
                            Stream.generate(() -> first.inProjectOfItsOwn(script))
                                    .limit(PROJECTS - 1))
                    .toList();
            projects.forEach(ProjectEventCrowdIT::start);
            Waiting.until(
                    "the first runs have ended",
                    () -> projects.stream()
                            .allMatch(
                                    project -> project.runs().stream().allMatch(run -> run.hasNonNull("finishTime"))));
            var heapBefore = heapKilobytes(server);

            crowd.open(projects, LISTENERS);
            var heap = heapKilobytes(server);
            print(
                    "%d listeners of %d projects: %.1f KB of heap each",
                    LISTENERS, PROJECTS, (heap - heapBefore) / (double) LISTENERS);

            var random = new Random(1);
            var time = processorTime(server);
            for (var round = 1; round <= ROUNDS; round++) {
                projects.forEach(ProjectEventCrowdIT::start);
                for (var dropped = 0; dropped < LISTENERS / ROUNDS; dropped++) {
                    crowd.listeners().get(random.nextInt(LISTENERS)).reconnect();
                }
            }
            Waiting.until(
                    "all runs have ended, or a listener has failed",
                    () -> crowd.listeners().stream()
                            .allMatch(listener ->
                                    listener.failure() != null || listener.endedRuns() >= ORDERS.size() * ROUNDS));
            var sent = 0L;
            for (var project : projects) {
                sent += verify(crowd, project, stored(directory, project.projectId()));
            }
            print(
                    "%d events sent (%.1f MB), %d connections dropped; server: %.0f us of processor time per event, runs"
                            + " included; heap at the end %+d KB",
                    sent,
                    crowd.bytes() / 1e6,
                    ROUNDS * (LISTENERS / ROUNDS),
                    processorTime(server).minus(time).toNanos() / 1000.0 / sent,
                    heapKilobytes(server) - heapBefore);
        }
    }

    private static void start(PublishedFlow project) {
        for (var order : ORDERS) {
            var answer = project.api().post("/v1/webhooks/" + project.flowId(), order);
            assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        }
    }

    private static List<StoredEvent> stored(DataDirectory directory, String projectId) {
        var rows = directory.ask(
                "select coalesce(json_agg(json_build_object('position', transaction_id || '-' || id, 'kind',"
                        + " kind, 'body', body::json) order by transaction_id, id), '[]') from project_event where project_id = '"
                        + projectId + "'");
        return Json.trusted(rows)
                .valueStream()
                .map(row -> new StoredEvent(
                        EventPosition.parse(row.path("position").asText()).orElseThrow(),
                        row.path("kind").asText(),
                        row.path("body").path("id").asText(),
                        row.path("body").path("status").asText()))
                .toList();
    }

    /** Returns the number of events that listeners of the project received. */
    private static long verify(ListenerCrowd crowd, PublishedFlow project, List<StoredEvent> stored) {
        var expected = stored.stream().map(StoredEvent::position).toList();
        var sent = 0L;
        for (var listener : crowd.listeners()) {
            if (listener.projectId().equals(project.projectId())) {
                Waiting.until(
                        "all events, or a refusal",
                        () -> listener.failure() != null || new HashSet<>(listener.received()).containsAll(expected));
                assertThat(listener.failure()).isNull();
                assertThat(new LinkedHashSet<>(listener.received()))
                        .as("first arrivals in order, and no event of another project")
                        .containsExactlyElementsOf(expected);
                sent += listener.received().size();
            }
        }
        assertThat(statuses(stored).values()).allSatisfy(statuses -> {
            assertThat(statuses.getLast()).isIn("SUCCEEDED", "FAILED");
            assertThat(statuses.subList(0, statuses.size() - 1))
                    .doesNotContain("SUCCEEDED", "FAILED")
                    .doesNotHaveDuplicates();
        });
        assertThat(statuses(stored)).hasSize(ORDERS.size() * ROUNDS);
        return sent;
    }

    private static Map<String, List<String>> statuses(List<StoredEvent> stored) {
        var statuses = new LinkedHashMap<String, List<String>>();
        stored.stream()
                .filter(event -> event.kind().equals("run"))
                .forEach(event -> statuses.merge(
                        event.runId(),
                        List.of(event.status()),
                        (before, more) ->
                                Stream.concat(before.stream(), more.stream()).toList()));
        return statuses;
    }

    private static void print(String format, Object... values) {
        System.out.printf(format + "%n", values);
    }

    private static Duration processorTime(ServerProcess server) {
        return server.processes().getFirst().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Heap of the server after a garbage collection. */
    private static long heapKilobytes(ServerProcess server) {
        jcmd(server, "GC.run");
        var used = USED.matcher(jcmd(server, "GC.heap_info"));
        var sum = 0L;
        while (used.find()) {
            sum += Long.parseLong(used.group(1));
        }
        return sum;
    }

    private static String jcmd(ServerProcess server, String command) {
        var program = ServerProcess.java().replaceFirst("java$", "jcmd");
        var pid = Long.toString(server.processes().getFirst().pid());
        try {
            var process = new ProcessBuilder(program, pid, command)
                    .redirectErrorStream(true)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
