package io.millrace.fault;

import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One packaged server, or one of the tests' that breaks a promise, with a data directory of its own, through all its lives. */
final class Node implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration END_DEADLINE = Duration.ofSeconds(60);

    private final Path program;
    private final DataDirectory directory;
    private final Map<String, String> settings;
    private final Optional<String> breach;
    private volatile ServerProcess process;
    private volatile URI base;

    Node(Path program, DataDirectory directory, Map<String, String> settings, Optional<String> breach) {
        this.program = program;
        this.directory = directory;
        this.settings = settings;
        this.breach = breach;
    }

    /** Starts it and waits until it listens. */
    void start() {
        process = breach.map(fault -> ServerProcess.ofClasses(
                        FaultyServer.class.getName(),
                        List.of(Faults.option(fault)),
                        List.of(),
                        directory.path(),
                        settings))
                .orElseGet(() -> ServerProcess.start(List.of(program.toString()), directory.path(), settings));
        base = URI.create("http://127.0.0.1:" + process.port(START_DEADLINE) + "/api");
    }

    /** Where it listens; empty while it is not there. */
    Optional<URI> base() {
        return Optional.ofNullable(base);
    }

    ApiClient api() {
        return process.api(START_DEADLINE);
    }

    void kill() {
        base = null;
        process.kill();
        process.exitStatus(END_DEADLINE);
    }

    void killDatabase() {
        directory.postmaster().ifPresent(ProcessHandle::destroyForcibly);
    }

    void freeze() {
        process.freeze();
    }

    void thaw() {
        process.thaw();
    }

    String output() {
        return process.output();
    }

    @Override
    public void close() {
        base = null;
        if (process != null) {
            process.close();
        }
    }
}
