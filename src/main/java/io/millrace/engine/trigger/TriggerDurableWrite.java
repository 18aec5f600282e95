package io.millrace.engine.trigger;

import io.millrace.base.persistence.DurableWrite;

/** Durable writes of due triggers. */
public enum TriggerDurableWrite implements DurableWrite {
    /** A node has claimed due sources. */
    CLAIMED,
    /** The started runs, the stored values of the trigger, the fired times and the next time. */
    FIRED
}
