package io.millrace.sandbox.code.process;

import java.io.IOException;
import java.util.List;

/**
 * Kills a process and its descendants if this server ends first, for any reason: a shell holds the read end of a pipe whose write
 * end only this process has. For processes that do not notice the end of the server.
 */
final class Watchdog implements AutoCloseable {
    /** A negative number is a process group: a worker leads one if it has its own session. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            read -r word
            kill -KILL "-$1" 2>/dev/null
            kill -KILL "$1" 2>/dev/null
            """;

    private final Process shell;

    private Watchdog(Process shell) {
        this.shell = shell;
    }

    static Watchdog over(ProcessHandle process) throws IOException {
        var builder = new ProcessBuilder(List.of("sh", "-c", SCRIPT, "millrace-watchdog", Long.toString(process.pid())))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        return new Watchdog(builder.start());
    }

    /** Stops the watch after the process has ended: its number may be reused. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
