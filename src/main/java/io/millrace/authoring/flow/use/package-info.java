/**
 * Dependencies of flows: connections and their replacement, pieces and the number of projects that use them.
 *
 * <p>Implements interfaces of the modules below, {@link io.millrace.workspace.connection.FlowConnections} and
 * {@link io.millrace.piece.catalogue.PieceUse}; from the rows of flows and versions. Start reading at
 * {@link io.millrace.authoring.flow.use.FlowConnectionChanges}.
 */
package io.millrace.authoring.flow.use;
