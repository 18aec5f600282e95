/**
 * Access control of projects: roles, members, and the answer to {@link io.millrace.base.access.Gate.Enter}.
 *
 * <p>Reads projects and never changes them. Start reading at {@link io.millrace.workspace.project.member.ProjectGateService}
 * for the check of every request, and at {@link io.millrace.workspace.project.member.ProjectRoles} for the requests of this
 * module.
 */
package io.millrace.workspace.project.member;
