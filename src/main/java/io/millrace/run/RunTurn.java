package io.millrace.run;

/**
 * How one run comes to its turn: at once when it has a slot, otherwise after it has waited in line for one. Meanwhile
 * it is durable, and seen as QUEUED.
 */
final class RunTurn {
    private final RunHost host;
    private final RunActor run;
    private final RunCommits commits;
    private RunSlots.Slot slot;
    private boolean granted;

    RunTurn(RunHost host, RunActor run, RunCommits commits) {
        this.host = host;
        this.run = run;
        this.commits = commits;
    }

    /** Begins with the slot, or waits in line for it. */
    void take(RunSlots.Slot place) {
        slot = place;
        if (run.isPastBeginning()) {
            giveSlotBack();
        } else if (slot.isHeldAtOnce()) {
            beginNow();
        } else {
            run.saveThen(commits.queue(), this::inLine);
        }
    }

    private void inLine() {
        run.inLine();
        if (granted) {
            beginAfterLine();
        }
    }

    /** The run waited in line and has its slot now; may be called on any thread. */
    void beginLater() {
        host.later(this::beginAfterLine);
    }

    /** The slot may come while it is just being saved that the run waits. */
    private void beginAfterLine() {
        if (run.isPastBeginning()) {
            giveSlotBack();
        } else if (run.isSaving()) {
            granted = true;
        } else {
            beginNow();
        }
    }

    /** Begins without waiting. A run whose row may say that it waits is seen as RUNNING before it walks. */
    void beginNow() {
        if (commits.isStored()) {
            run.saveThen(commits.run(), run::begin);
        } else {
            run.begin();
        }
    }

    void giveSlotBack() {
        if (slot != null) {
            slot.giveBack();
        }
    }
}
