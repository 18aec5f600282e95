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
record RunGauges(long queued, long running, long paused, long orphaned, long overdue) {
    /** In the text format of Prometheus. */
    String text() {
        return """
                # HELP millrace_runs Live runs by status.
                # TYPE millrace_runs gauge
                millrace_runs{status="QUEUED"} %d
                millrace_runs{status="RUNNING"} %d
                millrace_runs{status="PAUSED"} %d
                # HELP millrace_runs_orphaned Live runs without a living owner.
                # TYPE millrace_runs_orphaned gauge
                millrace_runs_orphaned %d
                # HELP millrace_waits_overdue Waits whose moment is over.
                # TYPE millrace_waits_overdue gauge
                millrace_waits_overdue %d
                """.formatted(queued, running, paused, orphaned, overdue);
    }
}
