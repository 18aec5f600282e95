/**
 * Projects: the modules that flows, connections and tables live in; their plans, their roles, and who may enter them.
 *
 * <p>{@link io.millrace.workspace.project.ProjectGateService} answers {@link io.millrace.base.access.Gate.Enter} for every module above.
 * {@link io.millrace.workspace.project.ProjectService} names {@link io.millrace.account.platform.PlatformService} and {@link
 * io.millrace.workspace.connection.ProjectConnections}, and is the {@link
 * io.millrace.account.identity.PersonalProjects} of the identity module, because both share its transactions. Statements may join
 * tables of modules below ({@code platform_user}); what modules above know of a project comes in through {@link
 * io.millrace.workspace.project.FlowFigures}, and their tables refer to {@code project} with {@code on delete cascade}. Start
 * reading at {@link io.millrace.workspace.project.Projects}.
 */
package io.millrace.workspace.project;
