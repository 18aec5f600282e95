/**
 * A small machine under a hostile load (scripts/hostile): the packaged server within the memory of a simulated machine,
 * callers that mean harm and keep to a bound, and one calm caller who has to be answered all the while.
 *
 * <p>All of it stays on loopback addresses. Start reading at {@link io.millrace.hostile.Hostile}.
 */
package io.millrace.hostile;
