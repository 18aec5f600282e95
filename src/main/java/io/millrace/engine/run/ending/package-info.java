/**
 * Ends of runs: follow-up work, cancellation, and retries.
 *
 * <p>Start reading at {@link io.millrace.engine.run.ending.RunExit}, which notifies parents and retries runs that a
 * fault of the server ended; {@code RunRetry} reopens ended runs, {@code RunCancellation} ends live ones,
 * {@code RunEndings} writes the end of those without an actor.
 */
package io.millrace.engine.run.ending;
