/**
 * Sign-in with an identity provider: Google, or the platform's own by OpenID Connect or SAML 2.0 (contract admin-api 32.8).
 * Verifies the provider's response; {@link io.millrace.account.identity.provisioning.ExternalAccounts} creates the session in
 * the same transaction.
 *
 * <p>Each sign-on is bound to its browser: an unsolicited response, or one for another browser, opens no session. Start
 * reading at {@link io.millrace.account.signon.SignOns}.
 */
package io.millrace.account.signon;
