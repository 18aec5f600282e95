package io.millrace.engine.trigger.schedule;

/** Policy for schedule times that passed while the trigger could not fire (AP_SCHEDULE_MISFIRE_POLICY). */
public enum Misfire {
    /** No run; the schedule continues with its next time. */
    SKIP,
    /** One run for all of them. */
    ONCE,
    /** One run for each of them, the earliest first, up to a limit. */
    ALL
}
