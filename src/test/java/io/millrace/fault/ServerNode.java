package io.millrace.fault;

import io.millrace.support.ApiClient;
import io.millrace.support.ClusterWays;
import io.millrace.support.DataDirectory;
import io.millrace.support.FaultyProxy;
import io.millrace.support.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One packaged server (or a test server that breaks a promise) with its data directory, through all its restarts. Each
 * start either runs the embedded database, or reaches the same data as an external database through a proxy that can
 * inject faults.
 */
final class ServerNode implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration END_DEADLINE = Duration.ofSeconds(60);
    private static final int CONNECTIONS_MAX = 40;
    private static final String DATABASE_ADDRESS = "AP_POSTGRES_URL";

    private final Path newest;
    private final DataDirectory directory;
    private final Map<String, String> settings;
    private final Optional<String> breach;
    private final boolean isMovable;
    private final Optional<ToolDatabase> shared;
    private final Optional<Joined> joined;
    private volatile ServerProcess process;
    private volatile ApiClient api;
    private volatile URI base;
    private volatile boolean isKilled;
    private volatile Path program;
    private ToolDatabase database;
    private FaultyProxy way;

    /** Membership of the node in a cluster engine. */
    record Joined(ClusterWays ways, int number) {}

    /** @param shared database of all nodes; empty for an embedded one */
    ServerNode(Path program, DataDirectory directory, ChaosPlan plan, Optional<ToolDatabase> shared) {
        this(program, directory, plan, shared, Optional.empty());
    }

    /** @param joined empty if nodes communicate through their database */
    ServerNode(
            Path program,
            DataDirectory directory,
            ChaosPlan plan,
            Optional<ToolDatabase> shared,
            Optional<Joined> joined) {
        this.newest = program;
        this.program = plan.from().orElse(program);
        this.directory = directory;
        this.settings = new HashMap<>(plan.settings());
        this.breach = plan.breach();
        this.isMovable = plan.isMixed() && shared.isEmpty();
        this.shared = shared;
        this.joined = joined;
        joined.ifPresent(of -> settings.putAll(of.ways().settings(of.number())));
        shared.ifPresent(this::attach);
    }

    /** Starts the server and waits until it listens. */
    void start() {
        if (!tryStart()) {
            throw new IllegalStateException("the server was killed while it started");
        }
    }

    /** As {@link #start}; false if the server was killed before it listened. */
    private boolean tryStart() {
        isKilled = false;
        process = launched();
        try {
            var asked = process.api(START_DEADLINE);
            api = program.equals(newest) ? asked : asked.ofEarlierRelease();
            base = URI.create("http://127.0.0.1:" + process.port(START_DEADLINE) + "/api");
        } catch (AssertionError notListening) {
            if (isKilled) {
                process.exitStatus(END_DEADLINE);
                return false;
            }
            throw notListening;
        }
        if (isKilled) {
            base = null;
        }
        return true;
    }

    private ServerProcess launched() {
        return breach.map(fault -> ServerProcess.ofClasses(
                        FaultyServer.class.getName(),
                        List.of(Faults.option(fault)),
                        List.of(),
                        directory.path(),
                        settings))
                .orElseGet(() -> ServerProcess.start(List.of(program.toString()), directory.path(), settings));
    }

    /** Restarts the server if it has exited; returns the reason of the exit if it was not killed. */
    Optional<String> revive() {
        if (process.isAlive()) {
            return Optional.empty();
        }
        base = null;
        var status = process.exitStatus(END_DEADLINE);
        var said = process.output();
        var wasKilled = isKilled;
        tryStart();
        return wasKilled
                ? Optional.empty()
                : Optional.of("the server ended by itself with status " + status + said(said));
    }

    private static String said(String output) {
        return output.isEmpty() ? "" : "; its last line: " + output.substring(output.lastIndexOf('\n') + 1);
    }

    /** Address of the server; empty while it is down. */
    Optional<URI> base() {
        return Optional.ofNullable(base);
    }

    /** Client of the current process, or of the last one. */
    ApiClient api() {
        return api;
    }

    /** Kills the server, and waits for its end. */
    void kill() {
        strikeDown();
        process.exitStatus(END_DEADLINE);
    }

    /** Stops the server regularly, and starts the newest program in its place. */
    void replace() {
        isKilled = true;
        base = null;
        process.terminate();
        process.exitStatus(END_DEADLINE);
        program = newest;
        start();
    }

    /** Kills the server without waiting; called on any thread. */
    void strikeDown() {
        isKilled = true;
        base = null;
        process.kill();
    }

    void killDatabase() {
        if (database == null) {
            directory.postmaster().ifPresent(ProcessHandle::destroyForcibly);
        } else {
            database.kill();
        }
    }

    /** Sets whether the next start uses the embedded database. Changes only in a mixed storm with one node. */
    void moveDatabase(boolean outside) {
        if (!isMovable || outside == (database != null)) {
            return;
        }
        if (outside) {
            attach(ToolDatabase.start(directory.path(), CONNECTIONS_MAX));
        } else {
            detach();
        }
    }

    private void attach(ToolDatabase found) {
        database = found;
        way = found.way();
        settings.put(DATABASE_ADDRESS, found.url(way));
    }

    private void detach() {
        settings.remove(DATABASE_ADDRESS);
        way.close();
        database.close();
        database = null;
    }

    /** Connection to the database. A server with an embedded database is restarted with an external one first. */
    FaultyProxy way() {
        if (database == null) {
            kill();
            moveDatabase(true);
            start();
        }
        return way;
    }

    /** Connections between all nodes. */
    ClusterWays clusterWays() {
        return joined.orElseThrow().ways();
    }

    /** Index of the node, from 0. */
    int number() {
        return joined.orElseThrow().number();
    }

    void freeze() {
        process.freeze();
    }

    void thaw() {
        process.thaw();
    }

    @Override
    public void close() {
        base = null;
        if (process != null) {
            process.close();
        }
        if (way != null) {
            way.close();
        }
        if (database != null && shared.isEmpty()) {
            database.close();
        }
    }
}
