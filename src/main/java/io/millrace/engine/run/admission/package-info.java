/**
 * Admission control: concurrency and rate limits of projects, flows and connections.
 *
 * <p>Start reading at {@link io.millrace.engine.run.admission.RunAdmission}. {@code ConcurrencyLimiter} counts
 * executing runs of this node, in a {@code PermitQueue} for each limit whose {@code ProjectQueue} serves the projects
 * in turn; {@code RunShares} knows the limits set by owners of flows, {@code RunPermit} is held by a run meanwhile.
 */
package io.millrace.engine.run.admission;
