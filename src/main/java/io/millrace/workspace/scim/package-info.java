/**
 * SCIM 2.0: an organization's directory provisions the users and the teams of a platform (contract admin-api 35; RFC 7643,
 * RFC 7644).
 *
 * <p>A SCIM user is a user of the platform, a SCIM group is a team project. {@code ScimPatch}, {@code ScimPath} and {@code
 * ScimFilter} are pure and depend on JSON only. {@link io.millrace.workspace.scim.ScimUserService} names
 * {@link io.millrace.account.identity.provisioning.DirectoryAccounts}, {@link io.millrace.workspace.scim.ScimGroupService}
 * names {@link io.millrace.workspace.project.ProjectService} and {@link io.millrace.workspace.project.member.ProjectPeople},
 * because they share their transactions. Start reading at {@link io.millrace.workspace.scim.ScimRoutes}.
 */
package io.millrace.workspace.scim;
