/**
 * Processes are killed while they work: what was acknowledged is there afterwards, once.
 *
 * <p>Start reading at {@link io.millrace.fault.kill.KillIT}.
 */
package io.millrace.fault.kill;
