/**
 * Accounts authenticated by external systems: identity providers, directories, and embedding products.
 *
 * <p>Applies the result to accounts; the modules of each protocol verify the external system. Start reading at
 * {@link io.millrace.account.identity.provisioning.ExternalAccounts} for sign-ins, and at
 * {@link io.millrace.account.identity.provisioning.DirectoryAccounts} for users provisioned by a directory.
 */
package io.millrace.account.identity.provisioning;
