package io.millrace.app.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * What a command is given by the process, and where it writes.
 *
 * @param settings properties file, which may be absent
 */
public record Terminal(
        InputStream in,
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
