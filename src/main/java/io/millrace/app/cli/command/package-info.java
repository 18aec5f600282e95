/**
 * What every command is made of: its name and options, the words that follow it, the terminal that it writes to, and how the
 * process ends.
 *
 * <p>Knows no command. Start reading at {@link io.millrace.app.cli.command.Subcommand}.
 */
package io.millrace.app.cli.command;
