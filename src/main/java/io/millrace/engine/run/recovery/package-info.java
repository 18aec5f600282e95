/**
 * Runs that others left behind, paused or are to be carried on: leases, claims and what is taken up when.
 *
 * <p>Start reading at {@link io.millrace.engine.run.recovery.RunTakeover}. What is taken over waits by its id for
 * memory and places ({@code TakeoverReader}, decision 0096); what may have ended servers is taken up alone ({@code
 * LoneSuspect}, {@code TakeoverLimits}, decision 0095). {@code RunLease} keeps the lease of the node, {@code
 * RunSweeper} claims, {@code RunHousekeeping} makes and drops the partitions of history.
 */
package io.millrace.engine.run.recovery;
