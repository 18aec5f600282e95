/**
 * How many runs a flow may begin in a time, and how many of them may execute at once.
 *
 * <p>Kept here, enforced by the module of runs above. Start reading at {@link io.millrace.authoring.flow.limit.FlowLimits}.
 */
package io.millrace.authoring.flow.limit;
