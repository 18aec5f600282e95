package io.millrace.engine.run;

/**
 * How the live runs of all projects stand. What is orphaned or overdue is 0 as long as nothing is left lying: a node takes over what
 * has lost its owner, and completes what is due, within seconds.
 *
 * @param queued runs that wait in line
 * @param running runs that execute
 * @param paused runs that wait for a moment or a signal
 * @param orphaned runs that are not paused, and have had no living owner for longer than a take-over takes
 * @param overdue waits whose moment has been over for longer than that
 * @param oldestQueuedSeconds age of the run that has waited in line the longest; 0 when none waits
 */
public record RunGauges(long queued, long running, long paused, long orphaned, long overdue, long oldestQueuedSeconds) {
    public static final RunGauges NONE = new RunGauges(0, 0, 0, 0, 0, 0);
}
