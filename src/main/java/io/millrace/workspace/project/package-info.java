/**
 * Projects: what flows, connections and tables live in, and their plans. Who may do what in one is said by {@code
 * member}, and who is mailed of its failures by {@code alert}, both above.
 *
 * <p>{@link io.millrace.workspace.project.ProjectService} names {@link io.millrace.account.platform.PlatformService}
 * and is the {@link io.millrace.account.identity.PersonalProjects} of the identity module, because both share its
 * transactions. What modules above know of a project comes in through {@link io.millrace.workspace.project.FlowFigures}
 * and {@link io.millrace.workspace.project.GlobalConnections}, and their tables refer to {@code project} with {@code on
 * delete cascade}. Modules below learn through {@link io.millrace.workspace.project.ProjectEventSubjects} and {@link
 * io.millrace.workspace.project.ProjectPlatformLookup} what they need of projects. Start reading at {@link
 * io.millrace.workspace.project.Projects}.
 */
package io.millrace.workspace.project;
