package io.millrace.engine.run.waitpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunTimers;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.piece.HttpAnswer;
import io.millrace.support.Waiting;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers of paused runs get answers for every order of messages between nodes (decision 0160). */
class PausedRunsTest {
    private static final String RUN = "run";
    private static final HttpAnswer ANSWER =
            new HttpAnswer(200, Map.of(), Json.object().put("done", true));
    private static final HttpAnswer OTHER = new HttpAnswer(201, Map.of(), Json.object());

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final List<Runs.AnsweredElsewhere> told = new CopyOnWriteArrayList<>();
    private final RemoteCallers remote = new RemoteCallers(bus, "here", Duration.ofSeconds(30));
    private final PausedRuns paused = new PausedRuns(bus, new NoTimers(), 30_000, remote, (_, _) -> {});

    /** Timers never fire in these tests. */
    private static final class NoTimers implements RunTimers.Clockwork {
        @Override
        public long setTimer(long delayMs, Runnable action) {
            return 0;
        }

        @Override
        public void cancelTimer(long timer) {}
    }

    @BeforeEach
    void listen() {
        bus.on(Runs.AnsweredElsewhere.class, told::add);
    }

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    private static Runs.CallerWaits callerAt(String node) {
        return new Runs.CallerWaits(RUN, node);
    }

    private void assertTold(Runs.AnsweredElsewhere... expected) {
        Waiting.until("told " + List.of(expected), () -> told.size() >= expected.length);
        assertThat(told).containsExactly(expected);
    }

    @Test
    void answersACaller_whoseNoticeArrivesBeforeItsRunResumes() {
        remote.onCallerWaits(callerAt("there"));
        var listener = paused.take(RUN);

        assertThat(listener.wantsAnswer()).isTrue();
        listener.answered(RUN, ANSWER);
        assertTold(new Runs.AnsweredElsewhere("there", RUN, ANSWER, null));
    }

    @Test
    void answersACaller_whoseNoticeArrivesAfterItsRunHasResumed() {
        var listener = paused.take(RUN);
        assertThat(listener.wantsAnswer()).isFalse();

        remote.onCallerWaits(callerAt("there"));

        assertThat(listener.wantsAnswer()).isTrue();
        listener.answered(RUN, ANSWER);
        assertTold(new Runs.AnsweredElsewhere("there", RUN, ANSWER, null));
    }

    @Test
    void answersACaller_whoseNoticeArrivesAfterItsRunHasAnswered_orHasEnded() {
        paused.take(RUN).answered(RUN, ANSWER);
        remote.onCallerWaits(callerAt("there"));
        paused.take("other").ended("other", RunStatus.FAILED);
        remote.onCallerWaits(new Runs.CallerWaits("other", "there"));

        assertTold(
                new Runs.AnsweredElsewhere("there", RUN, ANSWER, null),
                new Runs.AnsweredElsewhere("there", "other", null, RunStatus.FAILED));
    }

    @Test
    void answersItsOwnCaller_whenAnotherNodeWasQuickerThanItsPause() {
        var answer = Promise.<Runs.StartResult>promise();

        paused.answered(new Runs.AnsweredElsewhere("here", RUN, ANSWER, null));
        paused.paused(RUN, new StartListener.ForAnswer(answer));

        assertThat(answer.future().result()).isEqualTo(new Runs.StartResult.Answered(RUN, ANSWER));
    }

    @Test
    void answersItsOwnCaller_whenAnotherNodeAsksAfterItsPause() {
        var answer = Promise.<Runs.StartResult>promise();

        paused.paused(RUN, new StartListener.ForAnswer(answer));
        assertThat(answer.future().isComplete()).isFalse();
        paused.answered(new Runs.AnsweredElsewhere("here", RUN, null, RunStatus.FAILED));

        assertThat(answer.future().result()).isEqualTo(new Runs.StartResult.Failed(RUN, RunStatus.FAILED));
    }

    /** A caller that waits for an answer after the second pause does not get the answer from before it. */
    @Test
    void givesNoCallerAnOldAnswer_whenTheRunHasPausedAgain() {
        // Given
        var listener = paused.take(RUN);
        listener.answered(RUN, ANSWER);
        paused.paused(RUN, listener);

        // When
        remote.onCallerWaits(callerAt("there"));
        paused.take(RUN).answered(RUN, OTHER);

        // Then
        assertTold(new Runs.AnsweredElsewhere("there", RUN, OTHER, null));
    }
}
