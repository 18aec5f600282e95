package io.millrace.engine.run.machine;

/**
 * What has come of the walk so far.
 *
 * @param stepsCount CODE and PIECE steps that have succeeded or paused (contract flows-and-engine 9.5)
 * @param stored whether the run and its payload are durable already
 */
public record Progress(Budget budget, int stepsCount, boolean stored) {
    static Progress atStart(Budget budget, boolean stored) {
        return new Progress(budget, 0, stored);
    }

    Progress charged(long logBytes) {
        return new Progress(budget.charged(logBytes), stepsCount, stored);
    }

    Progress counted() {
        return new Progress(budget, stepsCount + 1, stored);
    }

    Progress asStored() {
        return stored ? this : new Progress(budget, stepsCount, true);
    }
}
