/**
 * Issues: failures of production runs, grouped by flow, failed step and cause, with counts by day (upstream's issues view).
 *
 * <p>A database trigger records each failed run in {@code run_failure}; {@link io.millrace.integration.issue.IssueService} counts
 * these rows in batches, before each read and every few seconds. Successful runs cost nothing. Start reading at
 * {@link io.millrace.integration.issue.Issues}.
 */
package io.millrace.integration.issue;
