/**
 * What follows when a run goes, and what ends or brings back a run from outside.
 *
 * <p>Start reading at {@link io.millrace.engine.run.ending.RunExit}, which tells parents and retries what the server
 * broke; {@code RunRetry} brings ended runs back to life, {@code RunCancellation} ends live ones, {@code RunEndings}
 * writes the end of those that no actor carries.
 */
package io.millrace.engine.run.ending;
