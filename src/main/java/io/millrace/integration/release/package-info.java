/**
 * Releases: a project takes over the state of another project, of its git repository, or of an earlier release
 * (contract admin-api 11). The other way round, what is pushed to the repository, is {@code push}, above.
 *
 * <p>A {@code ProjectState} is what is carried: flows, the names of connections, definitions of tables. {@code
 * StateDiff} says what it would change where it arrives, and is pure; {@code ProjectLanding} compares on a worker thread and
 * opens the transaction afterwards, which writes only when the project is still the one that was compared (decision 0392);
 * {@code ReleaseApplier} does it in that transaction, in which {@code ReleaseService} also keeps the snapshot and the release:
 * a release lands whole or not at all. Publishing reaches outside and follows afterwards ({@code Publications}, decision 0042). {@code ReplaceService}
 * does the same with a document.
 *
 * <p>Names {@link io.millrace.authoring.flow.ProjectFlows}, {@link io.millrace.workspace.connection.ConnectionStates},
 * {@link io.millrace.authoring.table.TableStates} and {@link io.millrace.piece.file.ReleaseFiles}, because all of them
 * share its transactions; statements read {@code project} and {@code user_record} beside the module's own tables. Start
 * reading at {@link io.millrace.integration.release.Releases}.
 */
package io.millrace.integration.release;
