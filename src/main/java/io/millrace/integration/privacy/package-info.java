/**
 * Personal data of a user: export as one document, and erasure (decision 0287).
 *
 * <p>Reads and clears tables of many modules, each by its statement in {@code PersonalDataStore}. Shares the transaction of
 * {@link io.millrace.account.identity.user.UserService}, so that an account is never deleted without the data that identifies
 * the person. Start reading at {@link io.millrace.integration.privacy.PersonalData}.
 */
package io.millrace.integration.privacy;
