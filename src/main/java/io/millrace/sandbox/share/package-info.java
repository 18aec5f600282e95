/**
 * Admission of calls of projects to a bounded number of processes (decision 0365).
 *
 * <p>{@link io.millrace.sandbox.share.ProcessShares} is a calculation on counts: the pools of each engine keep the counts, the
 * queues and the processes, and ask it before a process is taken, started or ended.
 */
package io.millrace.sandbox.share;
