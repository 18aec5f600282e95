package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.Fence;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.engine.agent.machine.AgentState;
import io.millrace.engine.agent.machine.SpendingLimits;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.model.ModelChoice;
import io.millrace.support.Waiting;
import io.millrace.workspace.aiprovider.ListToolAccess;
import io.millrace.workspace.aiprovider.ToolAccess;
import io.millrace.workspace.web.WebTools;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each round queries the database once for the states of all agent runs of the node. */
class AgentLookTest {
    private static final int RUNS = 50;
    private static final int ROUNDS = 2;

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final Queue<AgentRun.ClaimedRun> unclaimed = new ConcurrentLinkedQueue<>(runs());
    private final List<Map<String, Long>> looks = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    private void start(Function<String, AgentRunRows.Standing> standings) {
        bus.serve(AgentRunRows.Claim.class, _ -> Future.succeededFuture(Optional.ofNullable(unclaimed.poll())));
        bus.serve(AgentRunRows.Look.class, look -> {
            looks.add(look.fences());
            return Future.succeededFuture(
                    look.fences().keySet().stream().collect(Collectors.toMap(Function.identity(), standings)));
        });
        // No run progresses: the request for its tools is not answered.
        bus.serve(ListToolAccess.class, _ -> Promise.<List<ToolAccess>>promise().future());
        var outbound = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        Waiting.await(vertx.deployVerticle(new AgentVerticle(new AgentVerticle.Parts(
                bus,
                null,
                new AgentVerticle.Parts.ToolSources(
                        new PieceCatalogue(List.of()), null, outbound, new WebTools(vertx, bus, outbound)),
                new RunShards(1),
                new AgentVerticle.Parts.Limits(RUNS, Duration.ofMinutes(1), new RunMemory(64 << 20), 6),
                () -> Fence.OPEN,
                InstantSource.system()))));
    }

    private static List<AgentRun.ClaimedRun> runs() {
        return IntStream.range(0, RUNS)
                .mapToObj(number ->
                        new AgentRun.ClaimedRun(run("run-" + number), work(), number, 0, AgentRun.Records.NONE))
                .toList();
    }

    private static AgentRun run(String id) {
        var now = InstantSource.system().instant();
        return new AgentRun(
                id,
                now,
                now,
                "platform",
                "project",
                null,
                null,
                null,
                null,
                null,
                null,
                "Title",
                "mill-1",
                new AgentState.Accepted(),
                null,
                null);
    }

    private static AgentWork work() {
        return new AgentWork(
                new AgentPrompt("Wait.", Json.array()),
                "",
                new ModelChoice("openai", "config", "mill-1", 8_000),
                10,
                Json.array(),
                Json.array(),
                SpendingLimits.NONE,
                Optional.empty());
    }

    @Test
    void asksOnceForAllRuns_inEachRound() {
        start(_ -> AgentRunRows.Standing.GOES_ON);

        // Runs are claimed one by one: the first rounds may look for fewer.
        Waiting.until(
                "some rounds after all claims",
                () -> looks.stream().filter(look -> look.size() == RUNS).count() >= ROUNDS);

        assertThat(looks.stream().dropWhile(look -> look.size() < RUNS))
                .allSatisfy(look -> assertThat(look)
                        .hasSize(RUNS)
                        .containsEntry("run-0", 0L)
                        .containsEntry("run-49", 49L));
    }

    @Test
    void asksForTheRunsThatAreLeft_whenOthersAreLost() {
        start(id -> id.equals("run-7") ? AgentRunRows.Standing.LOST : AgentRunRows.Standing.GOES_ON);

        Waiting.until(
                "a round without the lost run",
                () -> looks.stream().anyMatch(look -> look.containsKey("run-7"))
                        && looks.getLast().size() == RUNS - 1);

        assertThat(looks.getLast()).doesNotContainKey("run-7");
    }
}
