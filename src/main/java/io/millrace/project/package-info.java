/**
 * Projects: the rooms that flows, connections and tables live in; their plans, their roles, and who may enter them.
 *
 * <p>{@link io.millrace.project.ProjectGateService} answers {@link io.millrace.access.Gate.Enter} for every room above.
 * {@link io.millrace.project.ProjectService} names {@link io.millrace.platform.PlatformService} and {@link
 * io.millrace.connection.ProjectConnections}, and is the {@link
 * io.millrace.identity.PersonalProjects} of the identity room, because both share its transactions. Statements may join
 * tables of rooms below ({@code platform_user}); what rooms above know of a project comes in through {@link
 * io.millrace.project.FlowFigures}, and their tables refer to {@code project} with {@code on delete cascade}. Start
 * reading at {@link io.millrace.project.Projects}.
 */
package io.millrace.project;
