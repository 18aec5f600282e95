package io.millrace.app.cli.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Input and output of a command.
 *
 * @param typedSecret a line that is typed without echo, or the first line of piped input; empty at the end of the input
 * @param settings properties file, which may be absent
 */
public record Terminal(
        Supplier<Optional<String>> typedSecret,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Path settings,
        InstantSource clock) {
    public Terminal {
        environment = Map.copyOf(environment);
    }

    @Override
    public String toString() {
        return "Terminal[" + settings + "]";
    }
}
