package io.millrace.engine.run.machine;

/** Status as a run's row has it, live or ended. */
public sealed interface RowStatus permits LiveStatus, EndStatus {}
