/**
 * Accounts that somebody else vouches for: identity providers, directories, and products that embed this one.
 *
 * <p>Says what follows for an account; how the other side proves itself is the business of the modules that speak its
 * protocol. Start reading at {@link io.millrace.account.identity.provisioning.OutsideAccounts} for people who come, and at
 * {@link io.millrace.account.identity.provisioning.DirectoryAccounts} for those whom a directory sends.
 */
package io.millrace.account.identity.provisioning;
