/**
 * Pauses: waitpoints of runs, their completion, and callers that wait meanwhile.
 *
 * <p>Start reading at {@link io.millrace.engine.run.waitpoint.WaitpointService}; {@code WaitpointCompletion} completes
 * a waitpoint once. {@code DelayTimer} schedules the next due one, {@code PausedRuns} keeps waiting callers, also of
 * other nodes ({@code RemoteCallers}).
 */
package io.millrace.engine.run.waitpoint;
