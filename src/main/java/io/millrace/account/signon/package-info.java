/**
 * Signing in with an identity provider: Google, or the platform's own by OpenID Connect or SAML 2.0 (contract admin-api
 * 32.8). Here it is decided whether a provider's word is to be believed; {@link io.millrace.account.identity.provisioning.OutsideAccounts} makes
 * the session in the same transaction.
 *
 * <p>Whoever begins is remembered until the end: an answer that nobody asked for, or that another browser asked for, opens
 * nothing. Start reading at {@link io.millrace.account.signon.SignOns}.
 */
package io.millrace.account.signon;
