/**
 * Command line of the server executable: operates on a server's settings, accounts, secrets and data without its HTTP interface
 * (decision 0196).
 *
 * <p>Commands of this package access the settings and the database directly; those that call a running server are in
 * {@link io.millrace.app.cli.remote}. Must not start a whole server: the main class implements {@code run}. Prints to a
 * {@link io.millrace.app.cli.command.Terminal} and never to the process's streams. {@code command-line.md} lists the same
 * commands, options and exit statuses; a test compares them. Start reading at {@link io.millrace.app.cli.CommandLine}.
 */
package io.millrace.app.cli;
