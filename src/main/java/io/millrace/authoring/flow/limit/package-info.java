/**
 * Limits of flows on concurrent runs and on started runs per period.
 *
 * <p>Stored here, enforced by the run module above. Start reading at
 * {@link io.millrace.authoring.flow.limit.FlowLimits}.
 */
package io.millrace.authoring.flow.limit;
