/**
 * Accounts: who somebody is, sessions and their tokens, and the answer to "whose token is this?". However somebody has
 * shown who they are, {@link io.millrace.account.identity.AccountOnboarding} lets them in.
 *
 * <p>Parts above say how: {@code signin} by a password or a mailed code, {@code provisioning} by others who vouch, and {@code
 * user} what is seen and changed of users. {@code apikey} below keeps keys of programs. The stores are shared by these parts
 * and hidden from everybody else.
 *
 * <p>Statements may join the table of the module below ({@code platform}). {@link io.millrace.account.identity.AccountOnboarding}
 * names {@link io.millrace.account.platform.PlatformService}, because the first account and the platform are born in one
 * transaction. Projects live above: what a new account needs of them is the interface {@link
 * io.millrace.account.identity.PersonalProjects}, what a token needs {@link io.millrace.account.identity.ProjectPlatforms}.
 * Start reading at {@link io.millrace.account.identity.TokenService}.
 */
package io.millrace.account.identity;
