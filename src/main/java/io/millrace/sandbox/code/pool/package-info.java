/**
 * Scheduling of calls of user code: a bounded queue that is fair between projects, and the workers that serve it.
 *
 * <p>Start reading at {@link io.millrace.sandbox.code.pool.CodeRunner}. {@code WorkerPool} hands calls to workers, {@code
 * WorkerScaling} starts and wakes them, {@code WorkerThread} owns one process, {@code CallLine} holds the waiting calls in a {@code FairQueue} and delays programs that
 * repeatedly reach their limits (decision 0057).
 */
package io.millrace.sandbox.code.pool;
