/**
 * The log of a run as text: steps with their inputs and outputs, iterations, failures, and truncation of long values.
 * Pure, without a store.
 *
 * <p>Start reading at {@link io.millrace.engine.run.log.RunLog}.
 */
package io.millrace.engine.run.log;
