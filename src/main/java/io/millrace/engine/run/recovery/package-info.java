/**
 * Take-over of runs: leases, claims, and order of take-up, for runs of dead nodes, paused runs and retries.
 *
 * <p>Start reading at {@link io.millrace.engine.run.recovery.RunTakeover}. Runs wait by id for memory and permits
 * ({@code TakeoverReader}, decision 0096); suspects of crashes are taken up alone ({@code CrashSuspectGate},
 * {@code TakeoverLimits}, decision 0095). {@code RunLease} renews the lease of the node, {@code RunSweeper} claims,
 * {@code RunHousekeeping} creates and drops the partitions of history.
 */
package io.millrace.engine.run.recovery;
