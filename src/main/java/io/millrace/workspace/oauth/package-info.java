/**
 * The client role of OAuth 2: authorization addresses, exchange of codes for tokens, and renewal (contract admin-api 7.7,
 * 7.9), with the clients that a platform keeps for its pieces (27).
 *
 * <p>Independent of connections and their owners. Every call uses {@link io.millrace.base.net.OutboundHttp}; a provider with
 * repeated failures is not called during a backoff. Start reading at {@link io.millrace.workspace.oauth.OAuthVerticle}.
 */
package io.millrace.workspace.oauth;
