/**
 * The command line of the same file that is the server: what an operator asks of a server's settings, accounts, secrets
 * and data without its HTTP interface (decision 0196).
 *
 * <p>Commands of this package work beside the server, on its settings and its database; those that ask a running one are in
 * {@link io.millrace.app.cli.remote}. Must not start a whole server: {@code run} is the process's own. Prints to a {@link io.millrace.app.cli.command.Terminal}
 * and never to the process's streams. {@code command-line.md} lists the same commands, options and exit statuses; a test
 * compares them. Start reading at {@link io.millrace.app.cli.CommandLine}.
 */
package io.millrace.app.cli;
