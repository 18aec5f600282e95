/**
 * Settings of a database and the connections that they describe: pools of the event loops, blocking connections of JDBC, and
 * the TLS parameters of both with the meaning that libpq gives them.
 *
 * <p>Knows neither statements nor failures of statements. Start reading at
 * {@link io.millrace.base.persistence.connection.DatabaseSettings}.
 */
package io.millrace.base.persistence.connection;
