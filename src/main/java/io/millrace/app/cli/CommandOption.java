package io.millrace.app.cli;

/**
 * An option of a command.
 *
 * @param name with its two dashes
 * @param value what follows the name; empty for an option that is only there or not
 * @param meaning one line
 */
record CommandOption(String name, String value, String meaning) {
    /** Every command has them. */
    static final CommandOption HELP = flag("--help", "shows this help");

    static final CommandOption JSON = flag("--json", "prints one JSON object instead of lines");

    static CommandOption flag(String name, String meaning) {
        return new CommandOption(name, "", meaning);
    }

    boolean hasValue() {
        return !value.isEmpty();
    }

    /** The option as a help text and the page show it. */
    String shown() {
        return hasValue() ? name + " " + value : name;
    }
}
