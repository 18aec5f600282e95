/**
 * Format of the log, and its asynchronous output to the standard output (decision 0164).
 *
 * <p>Start reading at {@link io.millrace.base.log.BatchAppender}. Knows nothing of the server.
 */
package io.millrace.base.log;
