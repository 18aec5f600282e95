/**
 * Projects, the containers of flows, connections and tables, and their plans. Permissions in a project belong to {@code
 * member}, and mail about its failures to {@code alert}, both above.
 *
 * <p>{@link io.millrace.workspace.project.ProjectService} names {@link io.millrace.account.platform.PlatformService} and is
 * the {@link io.millrace.account.identity.PersonalProjects} of the identity module, because both share its transactions.
 * Modules above supply data of a project through {@link io.millrace.workspace.project.FlowFigures} and
 * {@link io.millrace.workspace.project.GlobalConnections}, and their tables refer to {@code project} with {@code on delete
 * cascade}. Modules below read projects through {@link io.millrace.workspace.project.ProjectEventSubjects} and
 * {@link io.millrace.workspace.project.ProjectPlatformLookup}. Start reading at
 * {@link io.millrace.workspace.project.Projects}.
 */
package io.millrace.workspace.project;
