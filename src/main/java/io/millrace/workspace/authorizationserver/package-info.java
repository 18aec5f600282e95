/**
 * What people let MCP clients do: the authorization server of OAuth 2.1 (contract admin-api 33; RFC 7009, 7591, 7636, 8414,
 * 9728).
 *
 * <p>A client registers itself, sends a person to the consent page, and exchanges the code it gets for tokens. One row, a
 * grant, is the whole life of one consent: its code, its refresh tokens and its end. Refresh tokens of public clients rotate
 * (decision 0368). The module above that serves MCP asks {@link
 * io.millrace.workspace.authorizationserver.Grants.Identify} whose access token it was given. Start reading at {@link
 * io.millrace.workspace.authorizationserver.GrantRoutes}. The other side of OAuth, where this server is the client, is the
 * module {@code oauth}.
 */
package io.millrace.workspace.authorizationserver;
