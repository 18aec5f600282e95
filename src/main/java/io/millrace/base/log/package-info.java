/**
 * How lines of the log look, and how they get to the standard output without anybody waiting for it (decision 0164).
 *
 * <p>Start reading at {@link io.millrace.base.log.BatchAppender}. Knows nothing of the server.
 */
package io.millrace.base.log;
