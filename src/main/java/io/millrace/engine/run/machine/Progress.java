package io.millrace.engine.run.machine;

/**
 * Progress of a walk.
 *
 * @param stepsCount CODE and PIECE steps that have succeeded or paused (contract flows-and-engine 9.5)
 * @param stored whether the run and its payload are durable already
 * @param loose whether an isolated step has produced a result since that is not durable yet
 */
public record Progress(LogBudget budget, int stepsCount, boolean stored, boolean loose) {
    static Progress atStart(LogBudget budget, boolean stored) {
        return new Progress(budget, 0, stored, false);
    }

    Progress charged(long logBytes) {
        return new Progress(budget.charged(logBytes), stepsCount, stored, loose);
    }

    Progress counted() {
        return new Progress(budget, stepsCount + 1, stored, loose);
    }

    Progress asStored() {
        return stored && !loose ? this : new Progress(budget, stepsCount, true, false);
    }

    Progress asLoose() {
        return loose ? this : new Progress(budget, stepsCount, stored, true);
    }
}
