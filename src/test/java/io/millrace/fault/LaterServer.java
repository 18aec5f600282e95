package io.millrace.fault;

import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Server process whose clock is ahead by a period: paused runs of its data directory that end within the period are
 * due.
 */
public final class LaterServer {
    private LaterServer() {}

    /** Starts the server on a data directory without waiting for it. */
    public static ServerProcess start(DataDirectory directory, Duration ahead, Map<String, String> settings) {
        return ServerProcess.ofClasses(
                LaterServer.class.getName(), List.of(), List.of(ahead.toString()), directory.path(), settings);
    }

    /** Expects the period. */
    public static void main(String[] arguments) {
        FaultyServer.start(Clock.offset(Clock.systemUTC(), Duration.parse(arguments[0])), List.of());
    }
}
