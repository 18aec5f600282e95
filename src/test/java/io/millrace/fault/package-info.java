/**
 * The promises of durability, tested by killing real processes: the server, its PostgreSQL, and both.
 *
 * <p>The tests know the names of the server's durable writes; otherwise they use HTTP and signals only. {@link
 * io.millrace.fault.Chaos} is a long test (scripts/chaos) with every kind of {@link io.millrace.fault.Harm}. Start
 * reading at {@link io.millrace.fault.kill.KillIT}.
 */
package io.millrace.fault;
