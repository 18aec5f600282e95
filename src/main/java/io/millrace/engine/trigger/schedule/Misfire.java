package io.millrace.engine.trigger.schedule;

/** What becomes of times of a schedule that passed while nothing could fire (AP_SCHEDULE_MISFIRE_POLICY). */
public enum Misfire {
    /** Nothing; the schedule goes on with its next time. */
    SKIP,
    /** One run for all of them. */
    ONCE,
    /** One run for each of them, the earliest first, up to a limit. */
    ALL
}
