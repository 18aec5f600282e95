package io.millrace.base.bus;

/** A message about an event. It has no answer, and losing it costs latency, never correctness. */
public interface Notice {}
