package io.millrace.engine.run.start;

import io.millrace.base.bus.BusRequest;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests to {@link StartKeyService}, which stores the keys. */
sealed interface StartKeys {
    /**
     * A run that is created together with a key.
     *
     * @param failedHook hook of the trigger that failed, which the next owner of the run calls again; null without one
     */
    record NewRun(RunWrite.RunHeader header, Buffer payload, TriggerFailure.Hook failedHook) {
        boolean executeTrigger() {
            return failedHook == TriggerFailure.Hook.RUN;
        }

        boolean unprepared() {
            return failedHook == TriggerFailure.Hook.START;
        }
    }

    /**
     * Claims a key and writes the runs that are started under it, in one commit.
     *
     * @param callId correlation id of the caller, or null
     * @param runs at least one; the first is the one that answers
     */
    record Claim(StartKey key, String callId, List<NewRun> runs) implements StartKeys, BusRequest<StartClaim> {
        RunWrite.RunHeader first() {
            return runs.getFirst().header();
        }

        long bytes() {
            return runs.stream().mapToLong(run -> run.payload().length()).sum();
        }
    }

    sealed interface StartClaim {
        /** The key was free: the runs are stored, owned by this node. */
        record Ours() implements StartClaim {}

        /** The key was taken already: nothing was written. */
        record Duplicate(First first) implements StartClaim {}
    }

    record Find(StartKey key) implements StartKeys, BusRequest<Optional<First>> {}

    /** The start that took a key, as soon as its run has answered or ended; at the timeout, in its current state. */
    record Await(StartKey key, long waitMs) implements StartKeys, BusRequest<Optional<First>> {}

    /**
     * The first start under a key.
     *
     * @param answer answer of its run
     * @param ended final status of its run
     * @param live whether its run can still answer
     */
    record First(String runId, String callId, Optional<HttpAnswer> answer, Optional<RunStatus> ended, boolean live) {
        /** Result for a waiting caller; empty while it is undecided. */
        Optional<Runs.StartResult> outcome() {
            if (answer.isPresent()) {
                return Optional.of(new Runs.StartResult.Answered(runId, answer.get()));
            }
            if (ended.isPresent()) {
                return Optional.of(Runs.StartResult.ended(runId, ended.get()));
            }
            return live ? Optional.empty() : Optional.of(new Runs.StartResult.Silent(runId));
        }
    }

    record Row(Claim claim, Instant expires) {}
}
