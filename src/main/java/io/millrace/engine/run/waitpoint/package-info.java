/**
 * Pauses: what a run waits for, who ends the wait, and who waits for the run meanwhile.
 *
 * <p>Start reading at {@link io.millrace.engine.run.waitpoint.WaitpointService}; {@code WaitpointCompletion} completes
 * a waitpoint once. {@code DelayTimer} knows when the next one is due, {@code PausedRuns} keeps callers who wait on,
 * also on another node ({@code RemoteCallers}).
 */
package io.millrace.engine.run.waitpoint;
