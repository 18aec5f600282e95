package io.millrace.engine.run.machine;

public sealed interface RowStatus permits LiveStatus, EndStatus {}
