package io.millrace.engine.run.machine;

/** What may happen to a run that no actor walks: all that is known of it is its row. */
public sealed interface RowEvent {
    /** Makes the run, or makes it go on. */
    enum Queueing implements RowEvent {
        /** A trigger has found it; whoever gets to it first walks it. */
        INGESTED,
        /** It is written together with its key, and begins here at once. */
        CLAIMED,
        /** What it waited for has come. */
        RESUMED,
        /** Somebody wants its failed steps tried again. */
        RETRIED
    }

    /** Ends the run by what is recorded of it. */
    enum Closing implements RowEvent {
        /** Somebody wants it ended. */
        CANCELED,
        /** The version of the flow that it walks is gone. */
        FLOW_GONE,
        /** The database refuses what the run wants to save, and would again. */
        UNSAVABLE,
        /** It was at work when too many servers ended. */
        SET_ASIDE
    }
}
