/**
 * Waits of users' programs that have recently harmed the processes they run in (decision 0057).
 *
 * <p>{@link io.millrace.sandbox.backoff.Backoff} is a table and a calculation: it receives the results of calls and the time, and
 * returns the wait of the next call. The pools hold the calls back, each for its own engine.
 */
package io.millrace.sandbox.backoff;
