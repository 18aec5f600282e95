package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.store.RunOwnership;
import io.millrace.engine.run.store.StoredRun;
import io.millrace.support.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The caller is notified when a takeover fails: otherwise the next suspect run would wait for this one. */
class TakeoverReaderTest {
    private static final int RUNS_MAX = 10;
    private static final long MEMORY_BYTES = 1 << 20;

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final Bus bus = new Bus(vertx);
    private final TakeoverLimits limits = new TakeoverLimits(3, 3);
    private final TakeoverQueue queue = new TakeoverQueue(limits);
    private final List<StoredRun> stored = new CopyOnWriteArrayList<>();
    private final List<String> gone = new CopyOnWriteArrayList<>();
    private final TakeoverReader reader = new TakeoverReader(
            bus,
            new LoopClock(),
            _ -> Future.failedFuture("its values are no JSON"),
            new RunMemory(MEMORY_BYTES),
            new RunRegistry(RUNS_MAX),
            limits,
            queue,
            taken -> gone.add("taken " + taken.entry().runId()),
            gone::add);

    @BeforeEach
    void answerWhatIsThere() {
        bus.serve(
                RunOwnership.Load.class,
                _ -> Future.succeededFuture(new RunOwnership.LoadResult(List.copyOf(stored), List.of())));
    }

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    @Test
    void refusesARun_thatHasEndedOrHasAnotherOwner() {
        loop.runOnContext(_ -> reader.read(queue.add(OwnedRun.of("run", 1), StartListener.nobody())));

        Waiting.until("it is told", () -> gone.equals(List.of("run")));
        assertThat(queue.has("run")).isFalse();
    }

    @Test
    void refusesARun_whenALaterOwnershipIsKnown() {
        loop.runOnContext(_ -> {
            var earlier = queue.add(OwnedRun.of("run", 1), StartListener.nobody());
            queue.add(OwnedRun.of("run", 2), StartListener.nobody());
            reader.read(earlier);
        });

        Waiting.until("it is told", () -> gone.equals(List.of("run")));
        assertThat(queue.has("run")).isTrue();
    }

    @Test
    void notifiesTheWaitingCaller_whenARunCannotBeRead() {
        stored.add(new StoredRun(snapshot(1), Buffer.buffer(), Map.of(), Optional.empty()));
        var answer = Promise.<Runs.StartResult>promise();

        loop.runOnContext(_ -> reader.read(queue.add(OwnedRun.of("run", 1), new StartListener.ForAnswer(answer))));

        Waiting.until("it is told", () -> gone.equals(List.of("run")));
        assertThat(answer.future().failed()).isTrue();
        assertThat(queue.has("run")).isFalse();
    }

    private static RunSnapshot snapshot(long fence) {
        var now = Instant.EPOCH;
        var header = new RunWrite.RunHeader(
                "run",
                now,
                "project",
                new RunWrite.RunHeader.FlowOfRun("flow", "v1"),
                RunEnvironment.PRODUCTION,
                now,
                new RunWrite.RunHeader.RunOrigin(null, true, null, null, null),
                "Mill");
        return new RunSnapshot(
                header,
                RunStatus.RUNNING,
                fence,
                null,
                new RunSnapshot.StartFlags(false, false, false),
                List.of(),
                new RunSnapshot.RecordedState(Map.of(), null, null));
    }

    /** Time of the event loop. */
    private final class LoopClock implements RunClock {
        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public RandomGenerator random() {
            return RandomGenerator.getDefault();
        }

        @Override
        public Instant now() {
            return clock().instant();
        }

        @Override
        public void later(Runnable action) {
            loop.runOnContext(_ -> action.run());
        }

        @Override
        public long setTimer(long delayMs, Runnable action) {
            return vertx.setTimer(delayMs, _ -> action.run());
        }

        @Override
        public void cancelTimer(long timer) {
            vertx.cancelTimer(timer);
        }
    }
}
