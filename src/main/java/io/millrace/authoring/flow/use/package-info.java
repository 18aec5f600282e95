/**
 * What flows use of others: which connections, and how one is replaced by another; which pieces, and in how many
 * projects.
 *
 * <p>The modules below declare what they want to know, {@link io.millrace.workspace.connection.FlowConnections} and
 * {@link io.millrace.piece.catalogue.PieceUse}; it is answered here, from the rows of flows and versions. Start reading
 * at {@link io.millrace.authoring.flow.use.FlowConnectionChanges}.
 */
package io.millrace.authoring.flow.use;
