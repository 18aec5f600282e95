/**
 * Accounts: identities, sessions and their tokens, and the resolution of tokens to principals. For all methods of
 * authentication {@link io.millrace.account.identity.AccountOnboarding} opens the session.
 *
 * <p>Packages above implement the methods: {@code signin} by a password or a mailed code, {@code provisioning} by external
 * systems; {@code user} lists and changes users. {@code apikey} below stores keys of programs. The stores are shared by these
 * packages and hidden from all others.
 *
 * <p>Statements may join the table of the module below ({@code platform}).
 * {@link io.millrace.account.identity.AccountOnboarding} names {@link io.millrace.account.platform.PlatformService}, because
 * the first account and the platform are created in one transaction. Projects belong to a module above: new accounts use them
 * through {@link io.millrace.account.identity.PersonalProjects}, tokens through
 * {@link io.millrace.account.identity.ProjectPlatforms}. Start reading at {@link io.millrace.account.identity.TokenService}.
 */
package io.millrace.account.identity;
