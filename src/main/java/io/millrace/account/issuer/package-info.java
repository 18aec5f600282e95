/**
 * This server as an OpenID provider for clouds (contract admin-api 34): a piece gets a token that says for which project it
 * works, and a cloud that trusts this server gives it a role for the token. Nobody signs in here.
 *
 * <p>Start reading at {@link io.millrace.account.issuer.ProjectTokens}.
 */
package io.millrace.account.issuer;
