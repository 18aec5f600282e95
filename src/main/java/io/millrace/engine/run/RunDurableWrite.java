package io.millrace.engine.run;

import io.millrace.base.persistence.DurableWrite;

/** Durable writes from the start of a run to its end. */
public enum RunDurableWrite implements DurableWrite {
    ACCEPTED,
    /** The key of a start is stored, and the runs that begin with it are accepted. */
    KEYED,
    RESULT,
    /** The run is queued, or has begun after it was. */
    STATUS,
    /** A run that was never live has ended. */
    ENDED_AT_ONCE,
    ENDED,
    WAITPOINT,
    PAUSED,
    RESUMED,
    TAKEN_OVER
}
