/**
 * Authorization server of OAuth 2.1 for MCP clients (contract admin-api 33; RFC 7009, 7591, 7636, 8414, 9728).
 *
 * <p>A client registers itself, sends a user to the consent page, and exchanges the code for tokens. One row, a grant, covers
 * the whole life of one consent: its code, its refresh tokens and its end. Refresh tokens of public clients rotate (decision
 * 0030). The module that serves MCP resolves access tokens with
 * {@link io.millrace.workspace.authorizationserver.Grants.Identify}. Start reading at
 * {@link io.millrace.workspace.authorizationserver.GrantRoutes}. The module {@code oauth} is the opposite role, where this
 * server is the client.
 */
package io.millrace.workspace.authorizationserver;
