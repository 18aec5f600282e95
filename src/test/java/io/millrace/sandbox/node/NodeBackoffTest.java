package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.Json;
import io.millrace.base.net.ActingLease;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.node.call.NodeBinary;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.RunningNode;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backoff of programs whose processes were killed, without delay for other programs. */
@Slow(Slow.Reason.HOSTILE)
final class NodeBackoffTest {
    /** Longer than any test. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final String EXITS = "exports.code = () => process.exit(3);";
    private static final String WELL = "exports.code = () => 'well';";

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private NodeVerticle node;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(
                NodeBinary.find(Optional.empty(), System.getenv("PATH")) instanceof NodeBinary.Search.Match,
                "Node.js 20 or newer is not on the PATH");
        var real = folder.toRealPath();
        var settings = new NodeSettings(
                Optional.empty(),
                real.resolve("node"),
                64L << 20,
                256L << 20,
                new NodeSettings.Limits(2, 2, 1 << 20, 1 << 20, 256, 20, 128),
                () -> new NodeSettings.Network(List.of(), List.of(), List.of()),
                new Isolation(Isolation.Settings.of(Path.of("/dev/null"))),
                new BackoffSettings(LONG, LONG, LONG, 0));
        node = new NodeVerticle(
                settings, new ConnectionGateway(vertx, real.resolve("gateway"), false, ActingLease.OPEN));
        Waiting.await(vertx.deployVerticle(node));
    }

    @AfterEach
    void stop() {
        Waiting.await(vertx.close());
    }

    @Test
    void aCallIsHeld_whenTwoProcessesOfItsProgramHadToBeEnded_andOthersAreNot() throws IOException {
        var bomb = program("project", "bomb", EXITS);
        var well = program("project", "well", WELL);
        var elsewhere = program("other", "bomb", WELL);

        assertThat(List.of(await(call(bomb, 60_000)), await(call(bomb, 60_000))))
                .allMatch(result -> result instanceof NodeResult.Broke);
        var held = call(bomb, 60_000);
        Waiting.until("the call is held", () -> node.load().held() == 1);

        assertThat(returned(call(well, 60_000))).isEqualTo("well");
        assertThat(returned(call(elsewhere, 60_000))).isEqualTo("well");
        assertThat(held.result().isComplete()).isFalse();
        held.cancel();
        assertThat(await(held)).isInstanceOf(NodeResult.Cancelled.class);
        Waiting.until("no call is held", () -> node.load().held() == 0);
    }

    @Test
    void aCallThatIsHeld_endsAtItsOwnTimeLimit() throws IOException {
        var bomb = program("project", "bomb", EXITS);
        await(call(bomb, 60_000));
        await(call(bomb, 60_000));

        assertThat(await(call(bomb, 100))).isInstanceOf(NodeResult.TimedOut.class);
    }

    @Test
    void callsInTheLineAreHeldToo_whenTheirProgramHasToWaitMeanwhile() throws IOException {
        var bomb = program("project", "bomb", EXITS);

        var calls = Stream.generate(() -> call(bomb, 60_000)).limit(20).toList();
        // Two concurrent processes: at most three calls have begun when the second one has ended.
        Waiting.until("the others are held", () -> node.load().held() >= 17);

        assertThat(calls.stream().filter(call -> call.result().isComplete()).count())
                .isBetween(2L, 3L);
        calls.forEach(RunningNode::cancel);
        calls.forEach(NodeBackoffTest::await);
    }

    @Test
    void callsThatAreHeld_endWhenTheServerStops() throws IOException {
        var bomb = program("project", "bomb", EXITS);
        await(call(bomb, 60_000));
        await(call(bomb, 60_000));
        var held = call(bomb, 60_000);
        Waiting.until("the call is held", () -> node.load().held() == 1);

        Waiting.await(vertx.undeploy(node.deploymentID()));

        assertThat(await(held)).isInstanceOf(NodeResult.Cancelled.class);
    }

    private Path program(String project, String name, String text) throws IOException {
        var file = folder.toRealPath().resolve(project).resolve(name).resolve("code.js");
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private RunningNode call(Path program, long timeLimitMs) {
        var frame = Json.object().put("op", "code").put("program", program.toString());
        frame.set("inputs", Json.object());
        var project = program.getParent().getParent();
        return node.call(
                new NodeCall(
                        project.getFileName().toString(),
                        project,
                        program.getParent(),
                        NodeCall.Urgency.CODE,
                        frame,
                        timeLimitMs),
                (method, _, _) -> Future.failedFuture(method));
    }

    private static NodeResult await(RunningNode call) {
        return Waiting.await(call.result());
    }

    private static String returned(RunningNode call) {
        return ((NodeResult.Returned) await(call)).value().asText();
    }
}
