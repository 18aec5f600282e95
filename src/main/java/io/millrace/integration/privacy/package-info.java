/**
 * What the server keeps of one person: all of it in one document, and its end (decision 0287).
 *
 * <p>Reads and clears tables of many modules, each by its statement in {@code PersonalDataStore}. Shares the transaction of
 * {@link io.millrace.account.identity.user.UserService}, so that an account never goes without what names it. Start reading at
 * {@link io.millrace.integration.privacy.PersonalData}.
 */
package io.millrace.integration.privacy;
