/**
 * The client's side of OAuth 2: where a user is sent to, and how a code becomes a token and stays one (contract admin-api
 * 7.7, 7.9), with the clients that a platform keeps for its pieces (27).
 *
 * <p>Knows providers and tokens, and not whose connection they are for. Every call leaves through {@link
 * io.millrace.base.net.OutboundHttp}; a provider that keeps failing is left alone for a while. Start reading at {@link
 * io.millrace.workspace.oauth.OAuthVerticle}.
 */
package io.millrace.workspace.oauth;
