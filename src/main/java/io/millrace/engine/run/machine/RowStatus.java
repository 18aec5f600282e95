package io.millrace.engine.run.machine;

/** Status in a run's row, live or ended. */
public sealed interface RowStatus permits LiveStatus, EndStatus {}
