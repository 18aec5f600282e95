package io.millrace.base.bus;

/**
 * A message that is answered, once.
 *
 * @param <R> type of the answer
 */
public interface BusRequest<R> {}
