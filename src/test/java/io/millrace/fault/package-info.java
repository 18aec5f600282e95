/**
 * The promises of durability, tested by killing real processes: the server, its PostgreSQL, and both.
 *
 * <p>Nothing here knows the inside of the server; the tests speak HTTP and signals. Start reading at
 * {@link io.millrace.fault.KillIT}.
 */
package io.millrace.fault;
