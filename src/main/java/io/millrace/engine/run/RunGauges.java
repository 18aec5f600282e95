package io.millrace.engine.run;

/**
 * How the live runs of all projects stand. The last two are 0 as long as nothing is left lying: a node takes over what
 * has lost its owner, and completes what is due, within seconds.
 *
 * @param queued runs that wait in line
 * @param running runs that execute
 * @param paused runs that wait for a moment or a signal
 * @param orphaned runs that are not paused, and have had no living owner for longer than a take-over takes
 * @param overdue waits whose moment has been over for longer than that
 */
public record RunGauges(long queued, long running, long paused, long orphaned, long overdue) {
    public static final RunGauges NONE = new RunGauges(0, 0, 0, 0, 0);
}
