package io.millrace.engine.run.machine;

/** Events of a run without an actor: all known state is its row. */
public sealed interface RowEvent {
    /** Creates the run, or continues it. */
    enum Queueing implements RowEvent {
        /** A trigger has found it; the first node that claims it walks it. */
        INGESTED,
        /** It is written together with its key, and begins here at once. */
        CLAIMED,
        RESUMED,
        RETRIED
    }

    /** Ends the run by its recorded results. */
    enum Closing implements RowEvent {
        CANCELED,
        /** The flow version that it walks has been deleted. */
        FLOW_GONE,
        /** The database refuses a write of the run permanently. */
        UNSAVABLE,
        /** The run was executing during too many server crashes. */
        SET_ASIDE
    }
}
