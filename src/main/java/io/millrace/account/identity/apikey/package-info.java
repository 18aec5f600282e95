/**
 * API keys of a platform: made, listed, removed, and found again by what a caller sends. Only a hash is kept.
 *
 * <p>Knows no account: who may make a key is asked at the edge, and whose it is says {@code TokenService} above. Start
 * reading at {@link io.millrace.account.identity.apikey.ApiKeys}.
 */
package io.millrace.account.identity.apikey;
