/**
 * Runs of single actions without a flow: accepted durably, executed by one node, recorded and listed (decision 0460).
 *
 * <p>Start reading at {@link io.millrace.engine.action.ActionRuns}. {@link io.millrace.engine.action.ActionRunService}
 * accepts and reads runs, {@link io.millrace.engine.action.ActionRunVerticle} executes them with
 * {@link io.millrace.engine.run.step.SingleActions}. Steps of flows are not executed here.
 */
package io.millrace.engine.action;
