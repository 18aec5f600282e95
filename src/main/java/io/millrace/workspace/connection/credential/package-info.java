/**
 * What a connection proves with who it is: the kinds of credentials that a caller gives, and their sealed form, which
 * is renewed before it runs out. Rows of {@code app_connection} are written by the package above; only the sealed value
 * is read and renewed here.
 *
 * <p>Start reading at {@link io.millrace.workspace.connection.credential.Credentials}; renewal is {@link
 * io.millrace.workspace.connection.credential.TokenRenewal}'s.
 */
package io.millrace.workspace.connection.credential;
