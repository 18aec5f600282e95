/**
 * Connections: credentials of a project's steps, or of a whole platform, for other systems (contract admin-api 7, 8).
 *
 * <p>A value is sealed on arrival and never shown. Only runs of a project that has the connection receive it
 * ({@link io.millrace.workspace.connection.Connections.Use}), without the credentials that renew it. Its content and its
 * renewal are in {@code credential}, below. The module above reports the flows that use a connection
 * ({@link io.millrace.workspace.connection.FlowConnections}). The project module below shares its transactions with
 * {@link io.millrace.workspace.connection.ProjectConnections}. Start reading at
 * {@link io.millrace.workspace.connection.Connections}.
 */
package io.millrace.workspace.connection;
