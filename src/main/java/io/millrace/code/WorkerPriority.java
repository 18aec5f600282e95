package io.millrace.code;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How urgently a worker gets a processor. A short call is somebody's step, as urgent as the server itself. A call that has used much processor time yields to everything: whoever wakes beside it runs at once,
 * which a mere nice value does not give (decision 0057).
 */
final class WorkerPriority {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPriority.class);
    private static final Path NICE = Path.of("/usr/bin/nice");
    private static final Path CHANGE = Path.of("/usr/bin/chrt");
    private static final Duration MUCH = Duration.ofMillis(40);
    private static final long CHANGE_SECONDS_MAX = 5;

    private final ProcessHandle process;

    /** Processor time at the last look at this call; null before the first. */
    private Duration usedBefore;

    private boolean lowered;

    WorkerPriority(ProcessHandle process) {
        this.process = process;
    }

    /** What stands before the command of a worker: where long calls cannot yield, all calls do, a little. */
    static List<String> prefix() {
        return Files.isExecutable(CHANGE) || !Files.isExecutable(NICE)
                ? List.of()
                : List.of(NICE.toString(), "-n", "5");
    }

    /** What stands before a command that nobody waits for. */
    static List<String> lowest() {
        return Files.isExecutable(NICE) ? List.of(NICE.toString(), "-n", "19") : List.of();
    }

    /** Lowers the process when its call has used much since the last look; short calls are never looked at. */
    synchronized void look() {
        if (lowered) {
            return;
        }
        var used = process.info().totalCpuDuration().orElse(Duration.ZERO);
        lowered = usedBefore != null && used.minus(usedBefore).compareTo(MUCH) > 0 && change("--idle");
        usedBefore = used;
    }

    /** The call has ended. False when the process could not be raised again: the next call wants another one. */
    synchronized boolean end() {
        usedBefore = null;
        if (lowered && process.isAlive()) {
            lowered = !change("--other");
        }
        return !lowered;
    }

    private boolean change(String policy) {
        if (!Files.isExecutable(CHANGE)) {
            return false;
        }
        var command = new ArrayList<>(List.of(CHANGE.toString(), policy, "--all-tasks", "--pid", "0"));
        command.add(Long.toString(process.pid()));
        try {
            var changing = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return changing.waitFor(CHANGE_SECONDS_MAX, TimeUnit.SECONDS) && changing.exitValue() == 0;
        } catch (IOException failure) {
            LOG.warn("the priority of a code worker could not be changed", failure);
            return false;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
