/**
 * This server as an OpenID provider for clouds (contract admin-api 34): a piece gets a token that names its project, and a
 * cloud that trusts this server exchanges the token for a role. Offers no sign-in of users.
 *
 * <p>Start reading at {@link io.millrace.account.issuer.ProjectTokens}.
 */
package io.millrace.account.issuer;
