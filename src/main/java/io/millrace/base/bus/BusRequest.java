package io.millrace.base.bus;

/**
 * A message with exactly one answer.
 *
 * @param <R> type of the answer
 */
public interface BusRequest<R> {}
