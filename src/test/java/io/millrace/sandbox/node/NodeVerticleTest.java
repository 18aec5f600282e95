package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.ConsoleOutput;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeLoad;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.RunningNode;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Features available to packages, and attacks of packages on the server (contract pieces 15). */
@Slow(Slow.Reason.HOSTILE)
class NodeVerticleTest {
    private static NodeBench bench;

    @BeforeAll
    static void start() {
        bench = new NodeBench(64L << 20, 2);
    }

    @AfterAll
    static void stop() {
        if (bench != null) {
            bench.close();
        }
    }

    @Test
    void startsNoProcess_whenNothingIsCalled() {
        try (var idle = new NodeBench(64L << 20, 2)) {
            assertThat(idle.processes()).isEmpty();
        }
    }

    @Test
    void countsBusyProcessesAndWaitingCalls() {
        try (var single = new NodeBench(64L << 20, 1)) {
            var before = single.load();
            var looping = single.start("loop", Json.object(), 60_000);
            Waiting.until("a process works", () -> single.load().busy() == 1);
            var waiting = single.call(NodeCall.Urgency.META, NodeBench.frame("describe"), 60_000);
            Waiting.until("a call waits", () -> single.load().waiting() == 1);
            looping.cancel();
            NodeBench.await(waiting);

            assertThat(before).isEqualTo(new NodeLoad(0, 0, 0, 0, 0));
            Waiting.until("no process is busy", () -> single.load().equals(new NodeLoad(0, 1, 0, 0, 0)));
        }
    }

    @Test
    void returnsWhatThePieceReturns() {
        assertThat(bench.action("echo", json("{'what':{'a':[1,null,'ü']}}")))
                .isEqualTo(
                        new NodeResult.Returned(json("{'what':{'a':[1,null,'ü']}}"), noHooks(), ConsoleOutput.NOTHING));
    }

    @Test
    void makesManyCallsAtOnce() {
        var running = new ArrayList<RunningNode>();
        for (var number = 0; number < 200; number++) {
            running.add(bench.start("echo", Json.object().put("count", number), 20_000));
        }

        for (var number = 0; number < running.size(); number++) {
            assertThat(NodeBench.await(running.get(number)))
                    .isEqualTo(new NodeResult.Returned(
                            Json.object().put("count", number), noHooks(), ConsoleOutput.NOTHING));
        }
    }

    @Test
    void makesRoomForAnotherGroup_whenAProcessFailedToStart() {
        try (var single = new NodeBench(64L << 20, 1)) {
            var givenUp = single.start("echo", Json.object(), 1);
            var waiting = single.call(NodeCall.Urgency.META, NodeBench.frame("describe"), 20_000);

            assertThat(NodeBench.await(givenUp)).isInstanceOf(NodeResult.TimedOut.class);
            assertThat(NodeBench.await(waiting)).isInstanceOf(NodeResult.Returned.class);
        }
    }

    @Test
    void reportsNameAndMessage_whenThePieceThrows() {
        var error = ((NodeResult.Threw) bench.action("fail")).error();

        assertThat(error.path("name").asText()).isEqualTo("TypeError");
        assertThat(error.path("message").asText()).isEqualTo("it does not fit");
        assertThat(error.path("class").asText()).isEqualTo("USER");
    }

    @Test
    void reportsTheExchange_whenAnHttpClientThrows() {
        var error = ((NodeResult.Threw) bench.action("failWithResponse")).error();

        assertThat(error.path("status").asInt()).isEqualTo(422);
        assertThat(error.at("/responseBody/message").asText()).isEqualTo("Name is taken");
        assertThat(error.path("requestUrl").asText()).isEqualTo("https://example.com/a");
        assertThat(error.path("requestMethod").asText()).isEqualTo("post");
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "buffers"})
    void endsTheCallAlone_whenItTakesTooMuchMemory(String action) {
        assertThat(bench.action(action)).isInstanceOf(NodeResult.MemoryExceeded.class);

        assertThat(bench.action("echo")).isInstanceOf(NodeResult.Returned.class);
    }

    @Test
    void endsTheCallAtItsDeadline_whenItNeverEnds() {
        var looping = bench.start("loop", Json.object(), 300);
        var beside = bench.start("echo", Json.object(), 20_000);

        assertThat(NodeBench.await(looping)).isInstanceOf(NodeResult.TimedOut.class);
        assertThat(NodeBench.await(beside)).isInstanceOf(NodeResult.Returned.class);
        assertThat(bench.action("echo")).isInstanceOf(NodeResult.Returned.class);
    }

    @Test
    void endsTheCall_whenItIsCancelled() {
        var looping = bench.start("loop", Json.object(), 20_000);
        looping.cancel();

        assertThat(NodeBench.await(looping)).isInstanceOf(NodeResult.Cancelled.class);
    }

    @Test
    void reportsIt_whenThePieceEndsItsProcess() {
        assertThat(bench.action("exit"))
                .isEqualTo(new NodeResult.Broke("the piece ended its process with exit code 3", ConsoleOutput.NOTHING));
        assertThat(bench.action("echo")).isInstanceOf(NodeResult.Returned.class);
    }

    @Test
    void breaksOff_whenThePieceWritesGarbageIntoThePipe() {
        assertThat(bench.action("garbage")).isInstanceOf(NodeResult.Broke.class);
        assertThat(bench.action("echo")).isInstanceOf(NodeResult.Returned.class);
    }

    @ParameterizedTest
    @CsvSource({"bigint, BigInt", "huge, at most"})
    void failsTheCall_whenItsResultCannotBeSent(String action, String message) {
        var error = ((NodeResult.Threw) bench.action(action)).error();

        assertThat(error.path("message").asText()).contains(message);
    }

    @Test
    void failsACallWhoseResultIsTooDeep_andContinues() {
        assertThat(bench.action("deep"))
                .isInstanceOfSatisfying(
                        NodeResult.Threw.class,
                        threw -> assertThat(threw.error().path("message").asText())
                                .isEqualTo("The output cannot be used: Too deep: expected at most 200 levels"));
        assertThat(bench.action("echo")).isInstanceOf(NodeResult.Returned.class);
    }

    @Test
    void nextCallSucceeds_whenAnIdleProcessWasKilled() {
        bench.action("echo");
        bench.processes().stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);

        assertThat(bench.action("echo")).isInstanceOf(NodeResult.Returned.class);
    }

    @ParameterizedTest
    @CsvSource({
        "oom_kill 7, oom_kill 7, Killed",
        "oom_kill 7, oom_kill 8, MemoryExceeded",
        "pgfault 7, oom_kill 7, MemoryExceeded",
        "oom_kill 7, pgfault 7, MemoryExceeded"
    })
    void endsTheCallByTheKernelsCounter_whenItsProcessWasKilled(
            String before, String after, String end, @TempDir Path folder) throws IOException {
        // Given
        var counters = Files.writeString(folder.resolve("vmstat"), "nr_free_pages 1\n" + before + "\n");
        try (var killed = new NodeBench(counters)) {
            var stuck = killed.start("stuck", Json.object(), 120_000);
            Waiting.until("the call executes", () -> !killed.questions().isEmpty());

            // When
            Files.writeString(counters, "nr_free_pages 1\n" + after + "\n");
            killed.processes().stream()
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .forEach(ProcessHandle::destroyForcibly);

            // Then
            assertThat(NodeBench.await(stuck).getClass().getSimpleName()).isEqualTo(end);
            assertThat(killed.action("echo")).isInstanceOf(NodeResult.Returned.class);
        }
    }

    @Test
    void makesCallsThatFollowEachOtherInOneProcess() {
        try (var single = new NodeBench(64L << 20, 2)) {
            for (var call = 0; call < 400; call++) {
                single.action("echo");
            }

            assertThat(single.processes()).hasSize(1);
        }
    }

    @Test
    void callsSucceed_whenAllProcessesAreKilledWhileTheyStart(@TempDir Path folder) throws IOException {
        var node = doomed(folder, 3);
        try (var killed = new NodeBench(Optional.of(node), 64L << 20, 256L << 20, 3)) {
            var running = Stream.generate(() -> killed.start("echo", Json.object(), 20_000))
                    .limit(3)
                    .toList();

            assertThat(running).map(NodeBench::await).allMatch(result -> result instanceof NodeResult.Returned);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "160, false"})
    void keepsAProcess_whenItHoldsNoMoreThanItMay(int megabytes, boolean isKept) {
        try (var bounded = new NodeBench(Optional.empty(), 64L << 20, 128L << 20, 2)) {
            var first = bounded.action("hold", Json.object().put("bytes", megabytes << 20));
            var second = bounded.action("hold", Json.object().put("bytes", 1));

            assertThat(value(first).equals(value(second))).isEqualTo(isKept);
        }
    }

    @Test
    void keepsTheResult_whenSomethingFailsAfterTheReturn() {
        assertThat(bench.action("late"))
                .isInstanceOfSatisfying(
                        NodeResult.Returned.class,
                        returned -> assertThat(returned.value().asText()).isEqualTo("kept"));
        assertThat(bench.action("echo")).isInstanceOf(NodeResult.Returned.class);
    }

    @Test
    void reportsAnUncaughtError_andReplacesTheProcess() {
        try (var single = new NodeBench(64L << 20, 2)) {
            var before = value(single.action("hold", Json.object().put("bytes", 1)));

            var result = single.action("floating");

            assertThat(value(result).asText()).isEqualTo("kept");
            assertThat(result.printed().standardError()).isEqualTo("Uncaught nobody looks\n");
            assertThat(value(single.action("hold", Json.object().put("bytes", 1))))
                    .isNotEqualTo(before);
        }
    }

    @Test
    void boundsWhatIsPrinted_whenThePieceFloodsItsOutput() {
        var result = bench.action("flood");

        assertThat(result).isInstanceOf(NodeResult.Returned.class);
        assertThat(result.printed().standardOutput().length()).isLessThanOrEqualTo(64 * 1024);
    }

    @ParameterizedTest
    @ValueSource(strings = {"readOutside", "spawn", "worker"})
    void refusesWhatAPieceMustNotDo(String action) {
        var error = ((NodeResult.Threw) bench.action(action)).error();

        assertThat(error.path("message").asText()).contains("restricted");
    }

    @Test
    void hidesTheEnvironmentAndLendsATemporaryFolder() {
        var names = ((NodeResult.Returned) bench.action("environment")).value();

        assertThat(names).extracting(name -> name.asText()).contains("TMPDIR").doesNotContain("USER", "JAVA_HOME");
        assertThat(bench.action("temporary")).isInstanceOf(NodeResult.Returned.class);
    }

    @ParameterizedTest
    @CsvSource({
        "fetch, http://127.0.0.1:1/",
        "fetch, http://localhost:1/",
        "request, http://127.0.0.1:1/",
        "request, http://localhost:1/",
        "request, http://[::1]:1/",
        "request, http://[::ffff:10.0.0.1]:1/"
    })
    void blocksPrivateAddresses(String action, String url) {
        var error = ((NodeResult.Threw) bench.action(action, Json.object().put("url", url))).error();

        assertThat(Json.text(error)).containsAnyOf("private addresses cannot be reached", "fetch failed");
    }

    @Test
    void answersItsQuestions() {
        assertThat(bench.action("store")).isInstanceOf(NodeResult.Returned.class);
        assertThat(bench.questions())
                .contains(
                        "store.get {\"key\":\"n\",\"scope\":\"COLLECTION\"}",
                        "store.put {\"key\":\"n\",\"value\":42,\"scope\":\"COLLECTION\"}");
        assertThat(((NodeResult.Threw) bench.action("badKey"))
                        .error()
                        .path("name")
                        .asText())
                .isEqualTo("StorageInvalidKeyError");
    }

    @Test
    void handsOverLargeFilesThroughItsFolder() {
        assertThat(bench.action("write", Json.object().put("bytes", 3_000_000)))
                .isInstanceOfSatisfying(
                        NodeResult.Returned.class,
                        returned -> assertThat(returned.value().asLong()).isEqualTo(3_000_000));
    }

    @Test
    void reportsItsSideResults() {
        var paused = (NodeResult.Returned) bench.action("pause");

        assertThat(paused.hooks().path("type").asText()).isEqualTo("paused");
        assertThat(paused.hooks().path("waitpointId").asText()).isEqualTo("w1");
        assertThat(paused.value().path("url").asText()).isEqualTo("http://localhost/api/w1/sync?a=b");
        assertThat(((NodeResult.Returned) bench.action("answer"))
                        .hooks()
                        .at("/response/status")
                        .asInt())
                .isEqualTo(201);
        assertThat(((NodeResult.Returned) bench.action("tag")).hooks().path("tags"))
                .hasSize(1);
    }

    @Test
    void describesThePieceWithoutFunctions() {
        var described = NodeBench.await(bench.call(NodeCall.Urgency.META, NodeBench.frame("describe"), 20_000));

        var metadata = ((NodeResult.Returned) described).value();
        assertThat(metadata.at("/actions/echo/futureKey/kept").asBoolean()).isTrue();
        assertThat(metadata.at("/actions/choose/props/item").has("auth")).isFalse();
        assertThat(metadata.at("/triggers/hook/testStrategy").asText()).isEqualTo("SIMULATION");
        assertThat(metadata.at("/triggers/poll/testStrategy").asText()).isEqualTo("TEST_FUNCTION");
    }

    @Test
    void showsTheSampleOfATrigger_thatHasNoTest() {
        var frame = NodeBench.frame("test").put("trigger", "hook").put("stepName", "hook");

        var tested = NodeBench.await(bench.call(NodeCall.Urgency.RUN, frame, 20_000));

        assertThat(value(tested)).isEqualTo(Json.array().add(json("{'a':1}")));
    }

    @Test
    void endsItsProcesses_whenItIsStopped() {
        List<Long> pids;
        try (var other = new NodeBench(64L << 20, 2)) {
            other.action("echo");
            pids = other.processes();
            assertThat(pids).isNotEmpty();
        }
        Waiting.until(
                "no process is left",
                () -> pids.stream()
                        .noneMatch(pid -> ProcessHandle.of(pid)
                                .filter(ProcessHandle::isAlive)
                                .isPresent()));
    }

    @Test
    void repeatsNoCall_whenItIsStoppedBeforeTheCallHasBegun() {
        RunningNode behind;
        try (var single = new NodeBench(64L << 20, 1)) {
            var looping = NodeBench.frame("action")
                    .put("action", "loop")
                    .put("executionType", "BEGIN")
                    .put("stepName", "step_1");
            looping.putObject("props");
            NodeBench.await(single.call(NodeCall.Urgency.META, NodeBench.frame("describe"), 60_000));
            Waiting.until("a process is ready", () -> single.load().free() == 1);
            single.call(NodeCall.Urgency.META, looping, 60_000);
            Waiting.until("it works", () -> single.load().busy() == 1);
            behind = single.call(NodeCall.Urgency.META, NodeBench.frame("describe"), 60_000);
        }

        assertThat(NodeBench.await(behind)).isInstanceOf(NodeResult.Cancelled.class);
    }

    private static JsonNode value(NodeResult result) {
        return ((NodeResult.Returned) result).value();
    }

    /** A Node.js whose first processes are killed as soon as this many have been started. */
    private static Path doomed(Path folder, int processes) throws IOException {
        var script = """
                #!/bin/sh
                case "$*" in *--version*) exec node "$@" ;; esac
                cd %1$s
                : > started.$$
                [ "$(ls started.* | wc -l)" -gt %2$d ] && exec node "$@"
                while [ "$(ls started.* | wc -l)" -lt %2$d ]; do sleep 0.01; done
                kill -9 $$
                """.formatted(folder, processes);
        return Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("node"), script), PosixFilePermissions.fromString("rwx------"));
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) Json.parse(text.replace('\'', '"'));
        } catch (com.fasterxml.jackson.core.JsonProcessingException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    private static ObjectNode noHooks() {
        return json("{'type':'none','tags':[],'listeners':[]}");
    }
}
