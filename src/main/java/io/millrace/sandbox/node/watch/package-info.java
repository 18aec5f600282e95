/**
 * Limits of a running process: its memory, processor time, files and threads as the kernel reports them, watched from its start to
 * its end (decision 0366). Nothing here knows the protocol of the process.
 *
 * <p>Start reading at {@link io.millrace.sandbox.node.watch.ProcessGuard}.
 */
package io.millrace.sandbox.node.watch;
