package io.millrace.engine.trigger;

import io.millrace.base.persistence.DurableWrite;

/** The durable writes by which what is due fires. */
public enum TriggerDurableWrite implements DurableWrite {
    /** A node works on what is due. */
    CLAIMED,
    /** The runs that begin, what the trigger keeps, the times that fired and the next time. */
    FIRED
}
