/**
 * Retention of ended runs of a project or of a flow, where that is shorter than the server's (decision 0060).
 *
 * <p>Start reading at {@link io.millrace.engine.run.retention.RunRetentions}. Expired runs are deleted by the
 * housekeeping of {@code run.recovery}, with {@link io.millrace.engine.run.retention.RunRetentionStore}.
 */
package io.millrace.engine.run.retention;
