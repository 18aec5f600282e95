/**
 * Sign-up and sign-in with a password or a mailed code, and recovery of a forgotten password.
 *
 * <p>{@link io.millrace.account.identity.AccountOnboarding} below opens the sessions of authenticated persons. Attempts are
 * limited for each client ({@code SignInLimit}); codes are valid once and for a limited time ({@code OneTimeCode}). Start
 * reading at {@link io.millrace.account.identity.signin.SignIns}.
 */
package io.millrace.account.identity.signin;
