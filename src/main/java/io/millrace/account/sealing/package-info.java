/**
 * Which encryption key the secrets at rest are sealed with, and how they get another one while the server works
 * (contract admin-api 1.14).
 *
 * <p>Knows no room: whatever is sealed is a {@code bytea} column whose name begins with {@code sealed_}, and a sealed value
 * gets another key without being opened. Start reading at {@link io.millrace.account.sealing.SealingService}.
 */
package io.millrace.account.sealing;
