/**
 * How long ended runs of a project or of a flow are kept, where that is shorter than what the server keeps (decision 0286).
 *
 * <p>Start reading at {@link io.millrace.engine.run.retention.RunRetentions}. What is too old is deleted by the housekeeping of
 * {@code run.recovery}, with {@link io.millrace.engine.run.retention.RunRetentionStore}.
 */
package io.millrace.engine.run.retention;
