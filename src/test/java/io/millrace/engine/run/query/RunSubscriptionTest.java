package io.millrace.engine.run.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StepProgress;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Events for a subscriber that joins while the run is paused, when no actor exists that could repeat its progress. */
class RunSubscriptionTest {
    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    private final Bus bus = new Bus(vertx);
    private final RunProgressHub hub = new RunProgressHub(bus);
    private final List<String> told = new CopyOnWriteArrayList<>();

    private static Run run(RunStatus status) {
        var now = Instant.EPOCH;
        return new Run(
                "run",
                now,
                now,
                "project",
                "flow",
                "version",
                "Mill",
                RunEnvironment.PRODUCTION,
                status,
                now,
                null,
                null,
                false,
                null,
                List.of(),
                null,
                2,
                null,
                null,
                null);
    }

    /** Delivers a progress event from another node. */
    private void tell(RunStatus status, StepProgress.StepPosition step, boolean again) {
        hub.toldElsewhere(
                new Runs.ProgressedElsewhere(run(status), step, step == null ? "" : "{\"status\":\"OK\"}", again));
    }

    private static StepProgress.StepPosition record(long number, String name) {
        return new StepProgress.StepPosition(number, name, List.of());
    }

    private void watchPausedRun() {
        bus.serve(RunQueries.Look.class, _ -> Future.succeededFuture(run(RunStatus.PAUSED)));
        bus.serve(
                Waitpoints.LookAtStep.class,
                _ -> Future.succeededFuture(Optional.of(new Waitpoints.StepSoFar(
                        run(RunStatus.PAUSED), StepProgress.underWay("step_1[3].step_2", Json.object())))));
        vertx.runOnContext(_ -> RunSubscription.open(bus, hub, "run", 0, 60_000, new RunSubscription.Listener() {
            @Override
            public void step(Run run, long number, ObjectNode step) {
                told.add(number + " " + step.path("name").asText() + step.path("path"));
            }

            @Override
            public void run(Run run) {
                told.add(run.status().name());
            }

            @Override
            public void end() {
                told.add("end");
            }
        }));
        Waiting.until("the waiting step is reported", () -> told.size() == 2);
        assertThat(told).containsExactly("PAUSED", "0 step_2[[\"step_1\",3]]");
        told.clear();
    }

    @Test
    void getsTheLastRecords_whenTheRunEndsBeforeTheyWereRequested() {
        // Given
        watchPausedRun();

        // When
        tell(RunStatus.RUNNING, null, false);
        tell(RunStatus.RUNNING, record(3, "step_2"), false);
        tell(RunStatus.SUCCEEDED, null, false);

        // Then
        Waiting.until("the run has ended", () -> told.contains("end"));
        assertThat(told).containsExactly("RUNNING", "3 step_2[]", "SUCCEEDED", "end");
    }

    @Test
    void getsEachRecordOnceAndInOrder_whenTheyAreRepeated() {
        // Given
        watchPausedRun();

        // When
        tell(RunStatus.RUNNING, null, false);
        tell(RunStatus.RUNNING, record(3, "step_2"), false);
        tell(RunStatus.RUNNING, record(4, "step_3"), false);
        tell(RunStatus.RUNNING, record(1, "trigger"), true);
        tell(RunStatus.RUNNING, record(2, "step_1"), true);
        tell(RunStatus.RUNNING, record(3, "step_2"), true);
        tell(RunStatus.RUNNING, null, true);
        tell(RunStatus.SUCCEEDED, null, false);

        // Then
        Waiting.until("the run has ended", () -> told.contains("end"));
        assertThat(told)
                .containsExactly(
                        "RUNNING", "1 trigger[]", "2 step_1[]", "3 step_2[]", "4 step_3[]", "SUCCEEDED", "end");
    }
}
