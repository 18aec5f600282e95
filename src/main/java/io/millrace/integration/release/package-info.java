/**
 * Releases: a project adopts the state of another project, of its git repository, or of an earlier release (contract admin-api
 * 11). The opposite direction, a push to the repository, is in {@code push}, above.
 *
 * <p>A {@code ProjectState} holds the transferred data: flows, the names of connections, definitions of tables.
 * {@code StateDiff} computes the changes in the target project and is pure; {@code ProjectUpdate} compares on a worker thread
 * and opens the transaction afterwards, which writes only when the project is still the one that was compared (decision 0042);
 * {@code ReleaseApplier} applies them in that transaction, in which {@code ReleaseService} also saves the snapshot and the
 * release: a release is atomic. Publishing has external effects and follows the commit ({@code Publications}, decision 0042).
 * {@code ReplaceService} does the same with a document.
 *
 * <p>Names {@link io.millrace.authoring.flow.ProjectFlows}, {@link io.millrace.workspace.connection.ConnectionStates},
 * {@link io.millrace.authoring.table.TableStates} and {@link io.millrace.piece.file.ReleaseFiles}, because all of them share
 * its transactions; statements read {@code project} and {@code user_record} in addition to the module's own tables. Start
 * reading at {@link io.millrace.integration.release.Releases}.
 */
package io.millrace.integration.release;
