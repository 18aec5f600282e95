package io.millrace.app.cli;

import io.millrace.app.cli.command.Subcommand;
import java.util.List;
import java.util.stream.Collectors;

final class CommandHelp {
    private CommandHelp() {}

    static String ofAll(List<Subcommand> commands) {
        var width = commands.stream()
                .mapToInt(command -> command.name().length())
                .max()
                .orElse(1);
        return """
                Usage: millrace [COMMAND] [OPTIONS]

                Without a command the server runs. Settings come from the environment and conf/millrace.properties.

                Commands:
                %s

                millrace help COMMAND, or millrace COMMAND --help, tells more of one.
                """.formatted(commands.stream()
                .map(command -> "  " + padded(command.name(), width) + "  " + command.summary())
                .collect(Collectors.joining("\n")));
    }

    static String of(Subcommand command) {
        var options = command.allOptions();
        var width = options.stream()
                .mapToInt(option -> option.shown().length())
                .max()
                .orElse(1);
        var description =
                command.description().isEmpty() ? "" : command.description().strip() + "\n\n";
        return """
                Usage: millrace %s [OPTIONS]

                %s

                %sOptions:
                %s
                """.formatted(
                        command.name(),
                        sentence(command.summary()),
                        description,
                        options.stream()
                                .map(option -> "  " + padded(option.shown(), width) + "  " + option.meaning())
                                .collect(Collectors.joining("\n")));
    }

    private static String sentence(String summary) {
        return Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".";
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
