package io.millrace.app.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads a secret from the terminal without echo. */
public final class TypedSecret {
    private TypedSecret() {}

    /** A line of the terminal that is not shown; where there is none, the first line of the standard input. */
    @SuppressWarnings("SystemConsoleNull") // The console is null if standard input is not a terminal, also in Java 25.
    public static Optional<String> read() {
        var console = System.console();
        if (console != null && console.isTerminal()) {
            return Optional.ofNullable(console.readPassword()).map(String::new);
        }
        try {
            var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            return Optional.ofNullable(input.readLine());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
