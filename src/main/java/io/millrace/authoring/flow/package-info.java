/**
 * Flows: storage, edits, publishing, export and removal.
 *
 * <p>{@code FlowService} keeps flows and answers {@code Flows}. Samples of step tests ({@code sample}) and dependencies
 * of flows ({@code use}) are read by packages above from the same rows. Steps, versions and edits are defined in pure
 * packages below: {@link io.millrace.authoring.flow.step.Step}, {@link io.millrace.authoring.flow.version.FlowVersion},
 * {@link io.millrace.authoring.flow.editor.FlowEditor}. Independent of runs; running steps read the records.
 *
 * <p>Samples and backups are files of the module below, written through {@code FlowFiles} in the transaction that
 * changes the flow. {@code FlowService} reads tables of the identity module below ({@code platform_user}, {@code
 * user_identity}) to name who edited a version. Start reading at {@code Flows}.
 */
package io.millrace.authoring.flow;
