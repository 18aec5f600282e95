/**
 * Flows: what a flow and its versions are, how a version is edited, and when it may be published.
 *
 * <p>Start reading at {@link io.millrace.authoring.flow.FlowEditor}: {@code FlowOperation} is what one may ask of a flow,
 * {@code FlowEditor} answers with the version that follows, {@code StepTree} is the algebra beneath it. These are pure:
 * no Vert.x, no SQL, no clock, no randomness. {@code FlowValidator} judges steps by the pieces they name, {@code
 * PublishCheck} refuses what could not run. Nothing here knows runs; running steps read the records.
 *
 * <p>Flows of earlier schemas are brought to today's by {@code TreeMigration}, on import and when they are read.
 *
 * <p>{@code FlowService} keeps flows and answers {@code Flows}, {@code FolderService} the folders that they are sorted
 * into, {@code SampleDataService} what tests of steps left. Samples and backups are files of the module below, written
 * through {@code FlowFiles} in the transaction that changes the flow. {@code FlowService} reads tables of the identity
 * module below ({@code platform_user}, {@code user_identity}) to name who edited a version.
 * {@code FlowConnectionChanges} is what the connection module below asks of flows: which of them use a connection, and to
 * use another instead.
 *
 * <p>JSON trees held by the records of this package are never altered after construction; whoever wants to change one
 * copies it first.
 */
package io.millrace.authoring.flow;
