package io.millrace.engine.run;

import io.millrace.base.persistence.DurableWrite;

/** The durable writes by which a run gets from its start to its end. */
public enum RunDurableWrite implements DurableWrite {
    /** The run is accepted and continues. */
    ACCEPTED,
    /** A start has its key, and the runs that begin with it are accepted. */
    KEYED,
    /** A step has a result. */
    RESULT,
    /** The run is queued, or has begun after it was. */
    STATUS,
    /** A run that was never live has ended. */
    ENDED_AT_ONCE,
    /** A live run has ended. */
    ENDED,
    /** A step has something to wait for. */
    WAITPOINT,
    /** The run is paused. */
    PAUSED,
    /** A paused run has been resumed. */
    RESUMED,
    /** Runs without an owner have got one. */
    TAKEN_OVER
}
