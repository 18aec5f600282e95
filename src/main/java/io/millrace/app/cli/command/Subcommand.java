package io.millrace.app.cli.command;

import java.util.List;
import java.util.stream.Stream;

/** One thing that the command line can do. */
public interface Subcommand {
    /** The words that name it, such as {@code config check}. */
    String name();

    /** What it does, in one line. */
    String summary();

    /** What one should know before using it; empty where the summary says all. */
    default String description() {
        return "";
    }

    /** The options besides those that every command has. */
    default List<CommandOption> options() {
        return List.of();
    }

    /** Does it, and says so. */
    ExitStatus perform(CommandWords words, Terminal terminal);

    default List<CommandOption> allOptions() {
        return Stream.concat(options().stream(), Stream.of(CommandOption.JSON, CommandOption.HELP))
                .toList();
    }
}
