package io.millrace.sandbox.code.pool;

/** Numbers of the workers of a pool, by the phase of their life. Guarded by the pool's lock. */
final class WorkerCounts {
    private int all;
    private int free;

    /** Dismissed workers that have not ended yet. */
    private int dismissed;

    /** Workers whose process cannot be started at the moment. */
    private int starting;

    /** Workers that have not become ready yet. */
    private int unready;

    /** Counts a new worker. */
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

    /** Changes the number of workers without a process. */
    void starting(int change) {
        starting += change;
    }

    /** Counts a worker that waits for calls. */
    void rest() {
        free++;
    }

    /** Counts a worker that has waited for calls and received some. */
    void resume() {
        free--;
    }

    /** Counts a worker that has received no call and is to end. */
    void dismiss() {
        free--;
        dismissed++;
    }

    /** Counts the end of a worker. */
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

    /** Workers that have calls or start. */
    int busy() {
        return Math.max(0, all - free);
    }

    /** True if a single worker has not been dismissed. */
    boolean isLast() {
        return all - dismissed == 1;
    }

    /** True if no worker has a process. */
    boolean haveNoProcess() {
        return starting == all;
    }

    /** True if every worker has become ready or failed to start. */
    boolean haveBegun() {
        return unready == 0;
    }
}
