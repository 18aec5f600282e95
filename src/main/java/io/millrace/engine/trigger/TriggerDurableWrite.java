package io.millrace.engine.trigger;

import io.millrace.base.persistence.DurableWrite;

public enum TriggerDurableWrite implements DurableWrite {
    CLAIMED,
    /** The started runs, the stored values of the trigger, the fired times and the next time. */
    FIRED
}
