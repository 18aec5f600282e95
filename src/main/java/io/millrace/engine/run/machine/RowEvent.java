package io.millrace.engine.run.machine;

/** Events of a run without an actor: all known state is its row. */
public sealed interface RowEvent {
    /** Makes the run, or makes it go on. */
    enum Queueing implements RowEvent {
        /** A trigger has found it; the first node that claims it walks it. */
        INGESTED,
        /** It is written together with its key, and begins here at once. */
        CLAIMED,
        /** The awaited signal or time has arrived. */
        RESUMED,
        /** A user requested a retry of its failed steps. */
        RETRIED
    }

    /** Ends the run by what is recorded of it. */
    enum Closing implements RowEvent {
        /** A user requested its cancellation. */
        CANCELED,
        /** The flow version that it walks has been deleted. */
        FLOW_GONE,
        /** The database refuses what the run wants to save, and would again. */
        UNSAVABLE,
        /** It was executing during too many crashes of servers. */
        SET_ASIDE
    }
}
