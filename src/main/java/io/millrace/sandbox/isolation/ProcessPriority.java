package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduling priority and processors of a process that runs code. A short call is part of a flow and has the priority of the
 * server. A call that has used some processor time gets a lower priority, and one that has used much the lowest (decision 0057).
 * Before that, after very little time, it leaves a processor to the other processes, if there are several (decision 0057).
 */
public final class ProcessPriority {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessPriority.class);
    private static final Path OWN_SESSION = Path.of("/usr/bin/setsid");
    private static final Duration LITTLE = Duration.ofMillis(40);
    private static final Duration SOME = Duration.ofMillis(100);
    private static final Duration RATHER_MUCH = Duration.ofMillis(300);
    private static final Duration MUCH = Duration.ofSeconds(1);

    /**
     * Longer than the kernel's default, so that processes with a shorter slice preempt; and short, because a process that has used
     * its share when it wakes waits for the end of the slice (decision 0057).
     */
    private static final Duration LONG_SLICE = Duration.ofMillis(4);

    private static final int LOOKS_MAX = 100;
    private static final long LOOK_NANOS = 5_000_000;
    private static final int RAISES_AGAIN_MAX = 5;
    private static final long RAISE_AGAIN_NANOS = 60_000_000;

    private enum Level {
        NORMAL(0),
        MODEST(10),
        LEAST(19);

        /** Nice value for the session. */
        private final int weight;

        Level(int weight) {
            this.weight = weight;
        }
    }

    private final ProcessHandle process;

    private final int processorsLeft;

    /** Processor time at the first check of this call; null before. */
    private Duration usedBefore;

    /** Call at the last check, if known. */
    private Object looked;

    private Level level = Level.NORMAL;

    /** Processor time of a call after which its process gets the lowest priority. */
    private Duration patience = MUCH;

    private boolean busyCall;

    private boolean longCall;

    private boolean apart;

    /** True after a call has succeeded: the start of the process is over. */
    private boolean settled;

    /** True if the session also has the weight of the level. */
    private boolean weighed = true;

    ProcessPriority(ProcessHandle process, int processorsLeft) {
        this.process = process;
        this.processorsLeft = processorsLeft;
    }

    /** Command prefix of a worker, which gives it a new session: a session can be weighted as a whole. */
    public static List<String> prefix() {
        return Files.isExecutable(OWN_SESSION) ? List.of(OWN_SESSION.toString()) : List.of();
    }

    /** Gives the process the lowest priority: no caller waits for it. */
    public synchronized void yieldToAll() {
        awaitSession();
        lower(Level.LEAST);
    }

    /** Lowers the priority for the start, which computes for 1 to 2 s. No effect after the start is over. */
    public synchronized void starting() {
        if (!settled) {
            // Before the first threads: a thread inherits the settings of the one that starts it.
            keepApart();
            awaitSession();
            lower(Level.MODEST);
        }
    }

    /**
     * Records the start of a call.
     *
     * @param suspected true if the caller's recent calls were long: the priority is lowered at once, and the lowest level comes
     *     earlier
     */
    public synchronized void begin(boolean suspected) {
        longCall = false;
        busyCall = false;
        if (suspected) {
            usedBefore = used();
            keepApart();
            lower(Level.MODEST);
        }
        patience = suspected ? RATHER_MUCH : MUCH;
    }

    /**
     * Leaves the first processors to other processes, if there are more. Kernel work for a process that starts or allocates memory
     * is not preempted, and a computing process is not always preempted at once, even with the lowest weight.
     */
    private void keepApart() {
        if (apart) {
            return;
        }
        tried(() -> {
            var all = Scheduler.ownProcessors();
            var others = without(all, processorsLeft);
            apart = !others.equals(all);
            return !apart || Scheduler.setProcessors(process.pid(), others);
        });
    }

    /**
     * Starts a process that leaves processors to others from its first moment, because executing its program costs some
     * milliseconds of kernel time. On a platform thread, whose processors are restored afterwards; a virtual thread starts it
     * without this.
     */
    static Process start(ProcessBuilder process, int processorsLeft) throws IOException {
        var all = Scheduler.ownProcessors();
        var others = without(all, processorsLeft);
        if (Thread.currentThread().isVirtual() || others.equals(all) || !Scheduler.setOwnProcessors(others)) {
            return process.start();
        }
        try {
            return process.start();
        } finally {
            Scheduler.setOwnProcessors(all);
        }
    }

    /** All but the first processors, but at least one. */
    static BitSet without(BitSet processors, int first) {
        var others = (BitSet) processors.clone();
        for (var left = first; left > 0 && others.cardinality() > 1; left--) {
            others.clear(others.nextSetBit(0));
        }
        return others;
    }

    private void mingle() {
        if (apart) {
            apart = false;
            tried(() -> Scheduler.setProcessors(process.pid(), Scheduler.ownProcessors()));
        }
    }

    /**
     * Raises the priority, because a caller may now wait for the process. If it cannot be raised now, it is raised after the first
     * call.
     */
    public synchronized void started() {
        settled = true;
        if (level != Level.NORMAL && setWeight(0)) {
            raisePolicy();
        }
        mingle();
    }

    /**
     * Records a successful call. A process whose priority is never raised may use all processors from then on, unless the call was
     * busy.
     */
    public synchronized void endedWell(Object call) {
        settled = true;
        if (!busyCall || !call.equals(looked)) {
            mingle();
        }
    }

    /**
     * Like {@link #look}, for a process whose priority is never raised again.
     *
     * @param call current call of the process
     */
    public synchronized void lookAt(Object call) {
        if (!call.equals(looked)) {
            looked = call;
            longCall = false;
            busyCall = false;
            usedBefore = null;
        }
        look();
    }

    /** Lowers the priority if the call has used much processor time; short calls are never checked. */
    public synchronized void look() {
        if (usedBefore == null) {
            usedBefore = used();
        }
        var used = used().minus(usedBefore);
        var wanted = levelFor(used);
        longCall |= used.compareTo(MUCH) > 0;
        busyCall |= used.compareTo(LITTLE) > 0;
        if (busyCall) {
            keepApart();
        }
        if (wanted.compareTo(level) > 0 || !weighed) {
            lower(wanted.compareTo(level) > 0 ? wanted : level);
        }
    }

    private Duration used() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private Level levelFor(Duration used) {
        if (used.compareTo(patience) > 0) {
            return Level.LEAST;
        }
        return used.compareTo(SOME) > 0 ? Level.MODEST : Level.NORMAL;
    }

    public synchronized boolean isLong() {
        return longCall;
    }

    /** Records the end of the call. False if the priority could not be raised: the next call needs another process. */
    public synchronized boolean end() {
        usedBefore = null;
        if (level != Level.NORMAL && process.isAlive() && raiseWeight()) {
            raisePolicy();
        }
        mingle();
        return level == Level.NORMAL;
    }

    private void awaitSession() {
        var looks = prefix().isEmpty() ? 0 : LOOKS_MAX;
        for (var look = 0; look < looks && process.isAlive() && !leadsSession(); look++) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** The idle class applies among the processes of one session; the weight of the session applies between sessions. */
    private void lower(Level wanted) {
        if (setPolicy(Scheduler.Policy.BATCH, LONG_SLICE)
                && (wanted != Level.LEAST || setPolicy(Scheduler.Policy.IDLE, Duration.ZERO))) {
            level = wanted;
            weighed = setWeight(wanted.weight);
        }
    }

    /** Tries several times, because the kernel grants some processes only one change of a weight per 100 ms. */
    private boolean raiseWeight() {
        var raised = setWeight(0);
        for (var again = 1; again <= RAISES_AGAIN_MAX && !raised; again++) {
            LockSupport.parkNanos(RAISE_AGAIN_NANOS);
            raised = setWeight(0);
        }
        return raised;
    }

    private void raisePolicy() {
        if (setPolicy(Scheduler.Policy.OTHER, Duration.ZERO)) {
            level = Level.NORMAL;
            weighed = true;
        }
    }

    private boolean leadsSession() {
        return tried(() -> Scheduler.leadsSession(process.pid()));
    }

    private boolean setPolicy(Scheduler.Policy policy, Duration slice) {
        return tried(() -> Scheduler.setPolicy(process.pid(), policy, slice.toNanos()));
    }

    private boolean setWeight(int nice) {
        return tried(() -> {
            Scheduler.setSessionWeight(process.pid(), nice);
            return true;
        });
    }

    /** Applies a change. A refused change must not fail a call: the worker continues unchanged. */
    private boolean tried(Change change) {
        try {
            return change.make();
        } catch (IOException refused) {
            LOG.debug("the priority of worker {} was not changed: {}", process.pid(), refused.getMessage());
            return false;
        }
    }

    @FunctionalInterface
    private interface Change {
        boolean make() throws IOException;
    }
}
