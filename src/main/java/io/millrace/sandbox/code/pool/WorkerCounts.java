package io.millrace.sandbox.code.pool;

/** Guarded by the pool's lock. */
final class WorkerCounts {
    private int all;
    private int free;

    private int dismissed;

    /** Workers whose process cannot be started at the moment. */
    private int starting;

    private int unready;

    void add() {
        all++;
        unready++;
    }

    /** Reverts {@link #add} for a worker that has no thread. */
    void withdraw() {
        all--;
        unready--;
    }

    /** Counts a worker that has become ready or failed to start. */
    void begun() {
        unready--;
    }

    void starting(int change) {
        starting += change;
    }

    void rest() {
        free++;
    }

    void resume() {
        free--;
    }

    void dismiss() {
        free--;
        dismissed++;
    }

    void left(boolean wasDismissed) {
        all--;
        dismissed -= wasDismissed ? 1 : 0;
    }

    int all() {
        return all;
    }

    int free() {
        return free;
    }

    int busy() {
        return Math.max(0, all - free);
    }

    boolean isLast() {
        return all - dismissed == 1;
    }

    boolean haveNoProcess() {
        return starting == all;
    }

    boolean haveBegun() {
        return unready == 0;
    }
}
