package io.millrace.app.cli.command;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options that follow a command's name, checked against those that it has. A value follows as a word or after {@code =}. */
public final class CommandWords {
    private final Map<String, String> values = new HashMap<>();

    private CommandWords() {}

    /** Reads the words after a command's name; refuses with {@link UsageException}. */
    public static CommandWords read(Subcommand command, List<String> words) {
        var read = new CommandWords();
        var rest = words.iterator();
        while (rest.hasNext()) {
            var word = rest.next();
            var argument = command.argument();
            if (argument.isPresent() && !word.startsWith("-")) {
                read.put(argument.get(), word, false);
                continue;
            }
            var equals = word.indexOf('=');
            var name = equals < 0 ? word : word.substring(0, equals);
            var option = command.allOptions().stream()
                    .filter(candidate -> candidate.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(command.name() + " has no option or argument " + name));
            read.put(option, equals < 0 ? next(option, rest) : word.substring(equals + 1), equals >= 0);
        }
        return read;
    }

    private static String next(CommandOption option, Iterator<String> rest) {
        if (!option.hasValue()) {
            return "";
        }
        if (!rest.hasNext()) {
            throw new UsageException(option.name() + ": expected " + option.value() + " after it, found nothing");
        }
        return rest.next();
    }

    private void put(CommandOption option, String value, boolean isJoined) {
        if (isJoined && !option.hasValue()) {
            throw new UsageException(option.name() + ": expected no value, found one");
        }
        if (option.hasValue() && value.isBlank()) {
            throw new UsageException(option.name() + ": expected " + option.value() + ", found an empty value");
        }
        if (values.put(option.name(), value) != null) {
            throw new UsageException(option.name() + ": expected once, found more than once");
        }
    }

    public boolean has(CommandOption option) {
        return values.containsKey(option.name());
    }

    public Optional<String> value(CommandOption option) {
        return Optional.ofNullable(values.get(option.name()));
    }

    /** The value of an option that the command cannot do without. */
    public String required(CommandOption option) {
        return value(option)
                .orElseThrow(() -> new UsageException("expected the option " + option.shown() + ", found none"));
    }

    public boolean isJson() {
        return has(CommandOption.JSON);
    }
}
