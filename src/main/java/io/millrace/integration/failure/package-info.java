/**
 * Causes of failed runs: the class of a failure, groups of equal failures, and differences in shape between the data of two
 * runs. Pure: no store, no clock.
 *
 * <p>Start reading at {@link io.millrace.integration.failure.CauseRules}.
 */
package io.millrace.integration.failure;
