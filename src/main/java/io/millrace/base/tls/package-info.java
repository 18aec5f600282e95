/**
 * Certificates and keys of connections over TLS: parses them from PEM text and makes trust managers, key managers and contexts of
 * them, for the database and for mail. Decides no setting and opens no connection. Start reading at
 * {@link io.millrace.base.tls.TlsContext}.
 */
package io.millrace.base.tls;
