/**
 * Invitations to a platform or to a project (seed endpoint 11, contract admin-api 16). Start at
 * {@link io.millrace.workspace.invitation.Invitations}. {@code InvitationService} names the services of users and of project
 * roles, because an invitation is redeemed and its role assigned in one transaction.
 */
package io.millrace.workspace.invitation;
