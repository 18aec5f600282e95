/**
 * Flows: how they are kept, changed, published, exported and removed.
 *
 * <p>{@code FlowService} keeps flows and answers {@code Flows}. What tests of steps left ({@code sample}) and what
 * flows use of others ({@code use}) is answered above, from the same rows. What a step, a version and an edit are lies
 * in packages of their own below, and is pure: {@link io.millrace.authoring.flow.step.Step}, {@link
 * io.millrace.authoring.flow.version.FlowVersion}, {@link io.millrace.authoring.flow.editor.FlowEditor}. Nothing here
 * knows runs; running steps read the records.
 *
 * <p>Samples and backups are files of the module below, written through {@code FlowFiles} in the transaction that
 * changes the flow. {@code FlowService} reads tables of the identity module below ({@code platform_user}, {@code
 * user_identity}) to name who edited a version. Start reading at {@code Flows}.
 */
package io.millrace.authoring.flow;
