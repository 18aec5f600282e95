/**
 * Commands that ask a running server over its API, with a key: projects as files, exports and imports, and what is kept of a
 * person.
 *
 * <p>The operator names the server, so that a call is none of the server to the outside and passes no guard. Must not open a
 * database. Start reading at {@link io.millrace.app.cli.remote.RemoteServer}.
 */
package io.millrace.app.cli.remote;
