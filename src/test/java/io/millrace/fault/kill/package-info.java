/**
 * Processes are killed during work: acknowledged events are there afterwards, once.
 *
 * <p>Start reading at {@link io.millrace.fault.kill.KillIT}.
 */
package io.millrace.fault.kill;
