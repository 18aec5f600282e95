package io.millrace.code;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How urgently a worker gets a processor. A short call is somebody's step, as urgent as the server itself. A call that
 * has used much processor time yields to everything: whoever wakes beside it runs at once, which a mere nice value does
 * not give (decision 0057).
 */
final class WorkerPriority {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPriority.class);
    private static final Path OWN_SESSION = Path.of("/usr/bin/setsid");
    private static final Duration MUCH = Duration.ofMillis(40);

    /** The longest that the kernel grants: whoever asks for less preempts. */
    private static final Duration LONG_SLICE = Duration.ofMillis(100);

    private static final int LESS = 10;
    private static final int LEAST = 19;
    private static final int LOOKS_MAX = 100;
    private static final long LOOK_NANOS = 5_000_000;

    private final ProcessHandle process;

    /** Processor time at the last look at this call; null before the first. */
    private Duration usedBefore;

    private boolean lowered;

    WorkerPriority(ProcessHandle process) {
        this.process = process;
    }

    /** What stands before the command of a worker: a session of its own can be weighed as a whole. */
    static List<String> prefix() {
        return Files.isExecutable(OWN_SESSION) ? List.of(OWN_SESSION.toString()) : List.of();
    }

    /** Nobody waits for this process. */
    void yieldToAll() throws IOException {
        awaitSession();
        synchronized (this) {
            lowered = lower();
        }
    }

    /** One that has just started needs a moment until it leads its session. */
    private void awaitSession() throws IOException {
        for (var look = 0; look < LOOKS_MAX && process.isAlive() && !Scheduler.leadsSession(process.pid()); look++) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** A start computes for a second or two: whoever wakes meanwhile goes first. */
    void starting() throws IOException {
        awaitSession();
        Scheduler.setSessionWeight(process.pid(), LESS);
        Scheduler.setPolicy(process.pid(), Scheduler.Policy.BATCH, LONG_SLICE.toNanos());
    }

    /** From now on somebody may wait for it. */
    void started() throws IOException {
        Scheduler.setSessionWeight(process.pid(), 0);
        Scheduler.setPolicy(process.pid(), Scheduler.Policy.OTHER, 0);
    }

    /** Lowers the process when its call has used much since the last look; short calls are never looked at. */
    synchronized void look() {
        if (lowered) {
            return;
        }
        var used = process.info().totalCpuDuration().orElse(Duration.ZERO);
        lowered = usedBefore != null && used.minus(usedBefore).compareTo(MUCH) > 0 && lower();
        usedBefore = used;
    }

    /** The call has ended. False when the process could not be raised again: the next call wants another one. */
    synchronized boolean end() {
        usedBefore = null;
        if (lowered && process.isAlive()) {
            lowered = !raise();
        }
        return !lowered;
    }

    /** The idle class counts among the processes of one session; the weight of the session counts between them. */
    private boolean lower() {
        try {
            Scheduler.setSessionWeight(process.pid(), LEAST);
            return Scheduler.setPolicy(process.pid(), Scheduler.Policy.BATCH, LONG_SLICE.toNanos())
                    && Scheduler.setPolicy(process.pid(), Scheduler.Policy.IDLE, 0);
        } catch (IOException failure) {
            return unchanged(failure);
        }
    }

    private boolean raise() {
        try {
            Scheduler.setSessionWeight(process.pid(), 0);
            return Scheduler.setPolicy(process.pid(), Scheduler.Policy.OTHER, 0);
        } catch (IOException failure) {
            return unchanged(failure);
        }
    }

    private boolean unchanged(IOException failure) {
        if (process.isAlive()) {
            LOG.warn("the priority of a code worker could not be changed", failure);
        }
        return false;
    }
}
