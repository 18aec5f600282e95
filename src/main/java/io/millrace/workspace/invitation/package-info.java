/**
 * Invitations of people to a platform or to a project (seed endpoint 11, contract admin-api 16). Start at {@link
 * io.millrace.workspace.invitation.Invitations}. {@code InvitationService} names the services of users and of project roles, because
 * an invitation and what it promises are redeemed in one transaction.
 */
package io.millrace.workspace.invitation;
