package io.millrace.bus;

/**
 * A message that is answered, once.
 *
 * @param <R> type of the answer
 */
public interface Request<R> {}
