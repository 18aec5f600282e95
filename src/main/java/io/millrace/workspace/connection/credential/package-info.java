/**
 * Credentials of connections: the kinds that a caller may give, and their sealed form, which is renewed before it expires.
 * The package above writes rows of {@code app_connection}; this package reads and renews only the sealed value.
 *
 * <p>Start reading at {@link io.millrace.workspace.connection.credential.Credentials}; renewal is in
 * {@link io.millrace.workspace.connection.credential.TokenRenewal}.
 */
package io.millrace.workspace.connection.credential;
