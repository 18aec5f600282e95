/**
 * Connections: how a project's steps prove who they are to other systems, and the same for a whole platform (contract
 * admin-api 7, 8).
 *
 * <p>A value is sealed from the moment it arrives and is never shown. It leaves in one way only: to a run of a project
 * that has the connection ({@link io.millrace.workspace.connection.Connections.Use}), and without what renews it. What
 * it is and how it is renewed lies in {@code credential}, below. Which flows use a connection is told by the module
 * above ({@link io.millrace.workspace.connection.FlowConnections}). The project module below shares its transactions
 * with {@link io.millrace.workspace.connection.ProjectConnections}. Start reading at {@link
 * io.millrace.workspace.connection.Connections}.
 */
package io.millrace.workspace.connection;
