package io.millrace.engine.run.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.run.plan.CompiledVersion;
import io.millrace.support.Waiting;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Random pure flows and events in a program and in the general engine: equal rows, logs, answers, notices and figures, or a run
 * that is left to the general engine without any effect. {@code -Dmillrace.programs.flows} sets the number of flows.
 */
class ProgramEquivalenceTest {
    private static final int FLOWS = Integer.getInteger("millrace.programs.flows", 400);
    private static final int EVENTS = 20;
    private static final Instant NOW = Instant.parse("2026-01-05T10:20:30Z");

    /** Durations vary between the two, also in texts that hold the record of a loop; all are below ten seconds here. */
    private static final Pattern DURATION = Pattern.compile("(\\\\*\"duration\\\\*\":)\\d{1,4}([,}])");

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    @AutoClose
    private final Vertx generalVertx = Vertx.vertx();

    private ProgramWorld world;
    private ProgramWorld general;

    @BeforeEach
    void learnLimits() {
        world = new ProgramWorld(vertx);
        general = new ProgramWorld(generalVertx);
        var flow =
                CompiledVersion.of(new RandomPureFlow(new Random(1)).script()).flow();
        Waiting.until("the limits are loaded", () -> world.isAdmitted(flow) && general.isAdmitted(flow));
    }

    @Test
    void programsEqualTheGeneralEngine_orLeaveTheRunToIt() {
        var kept = 0;
        var keptWithCode = 0;
        var keptWithLoops = 0;
        var left = 0;
        for (var seed = 0L; seed < FLOWS; seed++) {
            var random = new Random(seed);
            var flows = new RandomPureFlow(random);
            var flow = CompiledVersion.withModules(flows.script()).flow();
            for (var event = 0; event < EVENTS; event++) {
                var item = Json.object().set("body", flows.event());
                var isKept = compare(flow, start(item, random.nextInt(3) > 0), item, "seed %d".formatted(seed));
                kept += isKept ? 1 : 0;
                keptWithCode += isKept && flow.programs().findAny().isPresent() ? 1 : 0;
                keptWithLoops +=
                        isKept && flow.steps().stream().anyMatch(step -> step.work() instanceof Work.OfLoop) ? 1 : 0;
                left += isKept ? 0 : 1;
            }
        }
        assertThat(kept).as("runs in programs").isGreaterThan(FLOWS * EVENTS / 3);
        assertThat(keptWithCode).as("runs with code in programs").isGreaterThan(FLOWS * EVENTS / 20);
        assertThat(keptWithLoops).as("runs with loops in programs").isGreaterThan(FLOWS * EVENTS / 20);
        assertThat(left).as("runs left to the general engine").isGreaterThan(FLOWS * EVENTS / 20);
    }

    private boolean compare(CompiledFlow flow, Runs.Start start, JsonNode item, String name) {
        world.seed(name.hashCode());
        general.seed(name.hashCode());
        var before = counts(world);
        var eventBefore = Json.text(item);
        var found = world.programs.start(flow, start, item);
        assertThat(Json.text(item)).as(name).isEqualTo(eventBefore);
        assertThat(world.memory.used()).as(name).isZero();
        assertThat(world.registry.has(start.runId())).as(name).isFalse();
        if (found.isEmpty()) {
            assertThat(world.writes).as(name).isEmpty();
            assertThat(world.notices).as(name).isEmpty();
            assertThat(counts(world)).as(name).isEqualTo(before);
            return false;
        }
        var generalBefore = counts(general);
        var expected = general.startGeneral(flow, start, item);
        if (general.writes.size() == 2 && general.writes.getFirst() instanceof RunWrite.Insert) {
            // On a slow machine the run yields to others.
            world.forget();
            general.forget();
            return true;
        }
        assertThat(general.writes).as(name).hasSize(1);
        var write = (RunWrite.InsertEnded) world.writes.getFirst();
        var expectedWrite = (RunWrite.InsertEnded) general.writes.getFirst();
        assertThat(world.writes).as(name).hasSize(1);
        assertThat(write.header()).as(name).isEqualTo(expectedWrite.header());
        assertThat(log(write)).as(name).isEqualTo(log(expectedWrite));
        assertThat(withoutLog(write)).as(name).isEqualTo(withoutLog(expectedWrite));
        assertThat(result(found.get())).as(name).isEqualTo(result(expected));
        assertThat(difference(before, counts(world))).as(name).isEqualTo(difference(generalBefore, counts(general)));
        assertThat(world.notices).as(name).isNotEmpty().isEqualTo(general.notices);
        world.forget();
        general.forget();
        return true;
    }

    static Runs.Start start(JsonNode item, boolean isAwaited) {
        return new Runs.Start(
                "run000000000000000001",
                "project00000000000001",
                new Runs.Start.FlowRef("flow00000000000000001", "version00000000000001", NOW),
                RunEnvironment.PRODUCTION,
                item,
                isAwaited,
                Runs.Start.ParentRun.none(true),
                new Runs.Start.CallOrigin(null, "call00000000000000001", null));
    }

    private static String log(RunWrite.InsertEnded write) {
        var text = CompressedText.text(write.ending().log().getBytes());
        return withoutDurations(new String(text, StandardCharsets.UTF_8));
    }

    private static String withoutDurations(String text) {
        return DURATION.matcher(text).replaceAll("$1\\0$2");
    }

    private static RunWrite.Ending withoutLog(RunWrite.InsertEnded write) {
        var ending = write.ending();
        assertThat(ending.status()).isEqualTo(EndStatus.SUCCEEDED);
        return new RunWrite.Ending(
                ending.status(), ending.finishTime(), ending.failedStep(), ending.tags(), ending.stepsCount(), null);
    }

    private static String result(Future<Runs.StartResult> started) {
        assertThat(started.isComplete()).isTrue();
        return withoutDurations(String.valueOf(started.result()));
    }

    private static Map<String, Long> counts(ProgramWorld world) {
        var counts = new HashMap<String, Long>();
        world.meters.collect().forEach(snapshot -> {
            var name = snapshot.getMetadata().getName();
            switch (snapshot) {
                case HistogramSnapshot histogram ->
                    histogram.getDataPoints().forEach(point -> counts.put(name + point.getLabels(), point.getCount()));
                case CounterSnapshot counter ->
                    counter.getDataPoints()
                            .forEach(point -> counts.put(name + point.getLabels(), (long) point.getValue()));
                default -> {}
            }
        });
        return counts;
    }

    private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
        var difference = new HashMap<String, Long>();
        after.forEach((name, count) -> {
            var more = count - before.getOrDefault(name, 0L);
            if (more != 0) {
                difference.put(name, more);
            }
        });
        return difference;
    }
}
