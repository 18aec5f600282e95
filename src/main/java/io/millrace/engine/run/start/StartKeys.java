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

/** What the run module asks of its keeper of keys, {@link StartKeyService}. */
sealed interface StartKeys {
    /** A run that is born with a key. */
    record NewRun(RunWrite.RunHeader header, Buffer payload) {}

    /**
     * Takes a key and writes the runs that are started under it, in one commit.
     *
     * @param callId id under which the caller is told of the start, or null
     * @param runs at least one; the first is the one that answers
     */
    record Claim(StartKey key, String callId, List<NewRun> runs) implements StartKeys, BusRequest<Claimed> {
        RunWrite.RunHeader first() {
            return runs.getFirst().header();
        }

        long bytes() {
            return runs.stream().mapToLong(run -> run.payload().length()).sum();
        }
    }

    /** What became of a claim. */
    sealed interface Claimed {
        /** The key was free: the runs are there, and this node's. */
        record Ours() implements Claimed {}

        /** The key had been taken: nothing was written. */
        record Taken(First first) implements Claimed {}
    }

    /** The start that took a key. */
    record Find(StartKey key) implements StartKeys, BusRequest<Optional<First>> {}

    /** The start that took a key, as soon as its run has answered or ended; as it is when the time is up. */
    record Await(StartKey key, long waitMs) implements StartKeys, BusRequest<Optional<First>> {}

    /**
     * The first start under a key.
     *
     * @param answer what its run answered
     * @param ended how its run ended
     * @param live whether its run is still there to answer
     */
    record First(String runId, String callId, Optional<HttpAnswer> answer, Optional<RunStatus> ended, boolean live) {
        /** What a caller that waits is told; empty while nobody knows. */
        Optional<Runs.Started> outcome() {
            if (answer.isPresent()) {
                return Optional.of(new Runs.Started.Answered(runId, answer.get()));
            }
            if (ended.isPresent()) {
                return Optional.of(Runs.Started.ended(runId, ended.get()));
            }
            return live ? Optional.empty() : Optional.of(new Runs.Started.Silent(runId));
        }
    }

    /** How a claim is written, with the moment until which the key is taken. */
    record Row(Claim claim, Instant expires) {}
}
