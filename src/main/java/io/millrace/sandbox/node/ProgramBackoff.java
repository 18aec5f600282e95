package io.millrace.sandbox.node;

import io.millrace.sandbox.backoff.Backoff;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits of calls of code, by the results of earlier calls of the same program (decision 0057); calls of pieces never wait. */
final class ProgramBackoff {
    private static final Logger LOG = LoggerFactory.getLogger(ProgramBackoff.class);

    private final Backoff<Path> backoff;

    ProgramBackoff(BackoffSettings settings) {
        backoff = new Backoff<>(settings);
    }

    /** Wait of a new call; ask once per call. */
    Duration ofNew(NodeCall call) {
        return call.program()
                .map(program -> backoff.ofNew(program, System.nanoTime()))
                .orElse(Duration.ZERO);
    }

    Duration ofWaiting(NodeCall call) {
        return call.program()
                .map(program -> backoff.ofWaiting(program, System.nanoTime()))
                .orElse(Duration.ZERO);
    }

    boolean suspects(NodeCall call) {
        return call.program()
                .filter(program -> backoff.isSuspected(program, System.nanoTime()))
                .isPresent();
    }

    /** Records the result of a call that a process had begun. */
    void ends(NodeCall call, NodeResult how) {
        call.program().ifPresent(program -> {
            var nowNanos = System.nanoTime();
            switch (how) {
                case NodeResult.TimedOut _, NodeResult.MemoryExceeded _, NodeResult.Killed _, NodeResult.Broke _ ->
                    tell(call, backoff.overran(program, nowNanos));
                case NodeResult.Threw _ -> backoff.failed(program, nowNanos);
                case NodeResult.Returned _ -> backoff.succeeded(program);
                case NodeResult.Cancelled _, NodeResult.Unavailable _ -> {}
            }
        });
    }

    private static void tell(NodeCall call, Duration pause) {
        if (pause.isPositive()) {
            LOG.info(
                    "code of project {} waits {} ms before its next call: its processes had to be killed ({})",
                    call.group(),
                    pause.toMillis(),
                    call.folders().own().getFileName());
        }
    }
}
