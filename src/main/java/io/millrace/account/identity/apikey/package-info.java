/**
 * API keys of a platform: creation, listing, removal, and lookup by the value that a caller sends. Only a hash is stored.
 *
 * <p>Independent of accounts: routes check the permission to create a key, and {@code TokenService} above resolves its
 * principal. Start reading at {@link io.millrace.account.identity.apikey.ApiKeys}.
 */
package io.millrace.account.identity.apikey;
