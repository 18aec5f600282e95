package io.millrace.app.cli.command;

/**
 * An option of a command.
 *
 * @param name with its two dashes
 * @param value placeholder of the value after the name; empty for a flag
 * @param meaning one line
 */
public record CommandOption(String name, String value, String meaning) {
    public static final CommandOption HELP = flag("--help", "shows this help");

    public static final CommandOption JSON = flag("--json", "prints one JSON object instead of lines");

    public static CommandOption flag(String name, String meaning) {
        return new CommandOption(name, "", meaning);
    }

    public boolean hasValue() {
        return !value.isEmpty();
    }

    public String shown() {
        return hasValue() ? name + " " + value : name;
    }
}
