package io.millrace.engine.run;

import io.millrace.base.persistence.DurableWrite;

/** Durable writes from the start of a run to its end. */
public enum RunDurableWrite implements DurableWrite {
    /** The run is accepted and continues. */
    ACCEPTED,
    /** The key of a start is stored, and the runs that begin with it are accepted. */
    KEYED,
    /** A step has a result. */
    RESULT,
    /** The run is queued, or has begun after it was. */
    STATUS,
    /** A run that was never live has ended. */
    ENDED_AT_ONCE,
    /** A live run has ended. */
    ENDED,
    /** A step waits for a waitpoint. */
    WAITPOINT,
    /** The run is paused. */
    PAUSED,
    /** A paused run has been resumed. */
    RESUMED,
    /** Runs without an owner have been taken over. */
    TAKEN_OVER
}
