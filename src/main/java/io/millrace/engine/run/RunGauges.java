package io.millrace.engine.run;

/**
 * Counts of live runs of all projects. Orphaned and overdue are 0 in normal operation: nodes take over orphaned runs
 * and complete due waitpoints within seconds.
 *
 * @param queued runs that wait for a permit
 * @param running runs that execute
 * @param paused runs that wait for a time or a signal
 * @param orphaned runs that are not paused, and have had no living owner for longer than a take-over takes
 * @param overdue waitpoints that have been due for longer than that
 * @param oldestQueuedSeconds age of the oldest queued run; 0 when none is queued
 */
public record RunGauges(long queued, long running, long paused, long orphaned, long overdue, long oldestQueuedSeconds) {
    public static final RunGauges NONE = new RunGauges(0, 0, 0, 0, 0, 0);
}
