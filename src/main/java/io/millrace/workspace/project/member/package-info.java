/**
 * Who may do what in a project: roles, members, and the answer to {@link io.millrace.base.access.Gate.Enter}.
 *
 * <p>Reads projects and never changes them. Start reading at {@link io.millrace.workspace.project.member.ProjectGateService}
 * for every request, and at {@link io.millrace.workspace.project.member.ProjectRoles} for what may be asked.
 */
package io.millrace.workspace.project.member;
