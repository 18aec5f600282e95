package io.millrace.sandbox.isolation;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * User of one process. It is taken before the process starts, so that files can be given to it, and released after the process has
 * ended.
 */
public final class ProcessUser {
    private final int number;
    private final int group;
    private final Runnable onRelease;
    private final AtomicBoolean isReleased = new AtomicBoolean();

    /**
     * @param group that the files of the purpose are readable to
     * @param onRelease called once
     */
    ProcessUser(int number, int group, Runnable onRelease) {
        this.number = number;
        this.group = group;
        this.onRelease = onRelease;
    }

    static ProcessUser shared(int number) {
        return new ProcessUser(number, number, () -> {});
    }

    int number() {
        return number;
    }

    int group() {
        return group;
    }

    /** Releases the user now: no process runs as it. */
    public void release() {
        if (isReleased.compareAndSet(false, true)) {
            onRelease.run();
        }
    }

    public void releaseAfter(Process process) {
        var _ = process.onExit().thenRun(this::release);
    }
}
