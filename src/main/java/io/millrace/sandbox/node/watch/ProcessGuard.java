package io.millrace.sandbox.node.watch;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces the limits of one process, during calls and between them, by the kernel's figures (decision 0366). Reports of the
 * process itself can be forged by the code in it. All methods block and are called by one thread at a time.
 */
public final class ProcessGuard {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessGuard.class);
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    /** Reading all mappings takes a millisecond. */
    private static final int LOOKS_PER_MAPPINGS = 5;

    private static final int LOOKS_PER_MAPPINGS_AT_REST = 10;

    public enum Excess {
        MEMORY,
        FILES,
        THREADS,
        /** Its first thread has ended, which hides what the others use. */
        FIRST_THREAD,
        /** Something between calls. */
        REST
    }

    private final ProcessBounds bounds;
    private final ScratchFolder scratch;

    /** True if a second thread of the process can only belong to the code in it, because its engine has one thread. */
    private final boolean hasOneThread;

    private final AtomicBoolean looking = new AtomicBoolean();
    private final FirstThreadRule firstThread = new FirstThreadRule();
    private volatile boolean filesAreTold;

    /** Bytes of deleted files that the process held before untrusted code ran in it. */
    private volatile long heldBefore;

    private int looks;

    private KernelUse firstAtRest;
    private long firstAtRestNanos;

    /** Looks between calls, one after the other, at which it was running. */
    private int runningLooks;

    /** @param hasOneThread true if its engine has one thread only */
    public ProcessGuard(ProcessBounds bounds, ScratchFolder scratch, boolean hasOneThread) {
        this.bounds = bounds;
        this.scratch = scratch;
        this.hasOneThread = hasOneThread;
    }

    /** The process is ready, and no code of others has run in it. */
    public void ready(long pid) {
        filesAreTold = HeldFiles.areTold(pid);
        if (filesAreTold) {
            heldBefore = HeldFiles.open(pid).bytes();
        } else if (WARNED.compareAndSet(false, true)) {
            LOG.warn(
                    "unnamed files are not counted: the kernel does not show the files that processes of pieces and code have"
                            + " open; grant this server the capability CAP_SYS_PTRACE, or run it as a user other than root");
        }
    }

    public boolean isOverQuota(long pid) {
        return scratch.isOverQuota(open(pid));
    }

    public boolean holdsUnnamed(long pid) {
        return open(pid).bytes() > 0;
    }

    private HeldFiles open(long pid) {
        return filesAreTold ? beyondBefore(pid, HeldFiles.open(pid)) : HeldFiles.NONE;
    }

    private HeldFiles all(long pid) {
        return filesAreTold ? beyondBefore(pid, HeldFiles.all(pid, scratch.path())) : HeldFiles.NONE;
    }

    /** The kernel shows a server that is not root no files of a process that is about to end. */
    private HeldFiles beyondBefore(long pid, HeldFiles held) {
        return held.equals(HeldFiles.UNCOUNTABLE) && KernelUse.isEnding(pid) ? HeldFiles.NONE : held.beyond(heldBefore);
    }

    /** Starts a check; returns false while another one is running. */
    public boolean begin() {
        return looking.compareAndSet(false, true);
    }

    public void end() {
        looking.set(false);
    }

    public Optional<Excess> lookAtWork(long pid) {
        firstAtRest = null;
        runningLooks = 0;
        looks++;
        return KernelUse.of(pid)
                .flatMap(this::excess)
                .or(() -> scratch.isOverQuota(looks % LOOKS_PER_MAPPINGS == 0 ? all(pid) : open(pid))
                        ? Optional.of(Excess.FILES)
                        : Optional.empty());
    }

    /** Looks at a process that has had no call for {@link RestRule#GRACE}. */
    public Optional<Excess> lookAtRest(long pid) {
        var isFirst = firstAtRest == null;
        looks = isFirst ? 0 : looks + 1;
        var use = KernelUse.of(pid);
        if (use.isEmpty()) {
            return Optional.empty();
        }
        if (isFirst) {
            firstAtRest = use.get();
            firstAtRestNanos = System.nanoTime();
        }
        runningLooks = use.get().isRunning() ? runningLooks + 1 : 0;
        return excess(use.get())
                .or(() -> isRestless(use.get()) ? Optional.of(Excess.REST) : Optional.empty())
                .or(() -> excess(looks % LOOKS_PER_MAPPINGS_AT_REST == 0 ? all(pid) : open(pid)));
    }

    private Optional<Excess> excess(HeldFiles held) {
        if (scratch.isOverQuota(held)) {
            return Optional.of(Excess.FILES);
        }
        return held.bytes() > 0 ? Optional.of(Excess.REST) : Optional.empty();
    }

    private Optional<Excess> excess(KernelUse use) {
        if (firstThread.isBroken(Optional.of(use))) {
            return Optional.of(Excess.FIRST_THREAD);
        }
        if (use.memoryBytes() > bounds.memoryBytesMax()) {
            return Optional.of(Excess.MEMORY);
        }
        return use.threads() > bounds.threadsMax() ? Optional.of(Excess.THREADS) : Optional.empty();
    }

    private boolean isRestless(KernelUse use) {
        var rule = bounds.runsCode() ? RestRule.OF_CODE : RestRule.OF_PIECES;
        return use.memoryBytes() > bounds.keptBytesMax()
                || bounds.runsCode() && runningLooks >= RestRule.RUNNING_LOOKS_MAX
                || hasOneThread && use.threads() > 1
                || rule.isBroken(
                        use.processorMs() - firstAtRest.processorMs(),
                        Duration.ofNanos(System.nanoTime() - firstAtRestNanos));
    }
}
