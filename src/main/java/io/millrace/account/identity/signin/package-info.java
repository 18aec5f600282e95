/**
 * Signing up and in with a password or a mailed code, and getting a forgotten password back.
 *
 * <p>Who has shown who they are is let in by {@link io.millrace.account.identity.AccountOnboarding} below. Tries are counted
 * for each address ({@code SignInLimit}); codes hold once and for a while ({@code OneTimeCode}). Start reading at {@link
 * io.millrace.account.identity.signin.SignIns}.
 */
package io.millrace.account.identity.signin;
