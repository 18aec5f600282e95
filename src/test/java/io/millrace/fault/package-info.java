/**
 * The promises of durability, tested by killing real processes: the server, its PostgreSQL, and both.
 *
 * <p>What the tests know of the inside are the names of its durable writes; else they speak HTTP and signals. {@link
 * io.millrace.fault.Chaos} is the same for longer (scripts/chaos), with every kind of {@link io.millrace.fault.Harm}. Start reading at
 * {@link io.millrace.fault.kill.KillIT}.
 */
package io.millrace.fault;
