package io.millrace.base.bus;

/** A message that says what happened. Nobody answers it, and losing it costs latency, never correctness. */
public interface Notice {}
