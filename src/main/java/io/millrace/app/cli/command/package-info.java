/**
 * Elements of every command: its name and options, its arguments, its terminal, and the exit status of the process.
 *
 * <p>Does not depend on any command. Start reading at {@link io.millrace.app.cli.command.Subcommand}.
 */
package io.millrace.app.cli.command;
