package io.millrace.app.cli.command;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

public interface Subcommand {
    /** Words of its name, such as {@code config check}. */
    String name();

    String summary();

    /** Details for the help text; empty if the summary suffices. */
    default String description() {
        return "";
    }

    default List<CommandOption> options() {
        return List.of();
    }

    /** Option whose value may be given without its name; empty if there is none. */
    default Optional<CommandOption> argument() {
        return Optional.empty();
    }

    ExitStatus perform(CommandWords words, Terminal terminal);

    default List<CommandOption> allOptions() {
        return Stream.concat(options().stream(), Stream.of(CommandOption.JSON, CommandOption.HELP))
                .toList();
    }
}
