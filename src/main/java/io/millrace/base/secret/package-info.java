/**
 * Secrets at rest: sealing, hashing, password checking, signed tokens, and the two secrets that the server itself needs.
 *
 * <p>Contains no authorization rules, and depends on no store. Start reading at {@link io.millrace.base.secret.SecretBox}.
 */
package io.millrace.base.secret;
