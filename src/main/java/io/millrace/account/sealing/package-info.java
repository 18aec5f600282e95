/**
 * Encryption key of the secrets at rest, and its rotation while the server runs (contract admin-api 1.14).
 *
 * <p>Independent of modules: sealed values are in {@code bytea} columns whose names begin with {@code sealed_}, and a value
 * is resealed without knowledge of its content. Start reading at {@link io.millrace.account.sealing.SealingService}.
 */
package io.millrace.account.sealing;
