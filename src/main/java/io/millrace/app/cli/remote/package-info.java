/**
 * Commands that call a running server over its API, with an API key: projects as files, exports and imports, and personal data.
 *
 * <p>The operator names the server, so calls do not pass the guard of outbound addresses. Must not open a database. Start
 * reading at {@link io.millrace.app.cli.remote.RemoteServer}.
 */
package io.millrace.app.cli.remote;
