/**
 * Who executes now, and who waits in line: limits of projects and of flows.
 *
 * <p>Start reading at {@link io.millrace.engine.run.admission.RunAdmission}. {@code ConcurrencyLimiter} counts what
 * executes on this node, in a {@code PermitQueue} for each limit whose {@code ProjectQueue} serves the projects in
 * turn; {@code RunShares} knows the limits that owners of flows want, {@code RunPermit} is what a run holds meanwhile.
 */
package io.millrace.engine.run.admission;
