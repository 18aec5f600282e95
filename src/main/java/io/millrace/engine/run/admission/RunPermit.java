package io.millrace.engine.run.admission;

/** Permit of a run, held or queued. */
public interface RunPermit {
    /** Returns whether the run may begin now; otherwise it is notified later. */
    boolean isHeldAtOnce();

    /** Returns all permits and places in queues; the next runs begin. Idempotent. */
    void giveBack();
}
