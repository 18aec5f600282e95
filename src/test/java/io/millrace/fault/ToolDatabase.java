package io.millrace.fault;

import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.support.DataDirectory;
import io.millrace.support.FaultyProxy;
import java.nio.file.Path;

/** PostgreSQL run by the storm, external to its servers. It uses the directory of a server's embedded database. */
final class ToolDatabase implements AutoCloseable {
    private final DataDirectory directory;
    private final EmbeddedPostgres postgres;

    private ToolDatabase(DataDirectory directory, EmbeddedPostgres postgres) {
        this.directory = directory;
        this.postgres = postgres;
    }

    /** Starts on a directory that no other database uses. */
    static ToolDatabase start(Path directory, int connectionsMax) {
        var settings = EmbeddedPostgres.Settings.of(directory).withConnectionsMax(connectionsMax);
        return new ToolDatabase(new DataDirectory(directory), EmbeddedPostgres.start(settings));
    }

    /** Connection to the database through a proxy that can inject faults. */
    FaultyProxy way() {
        return FaultyProxy.to(postgres.port());
    }

    /** Settings of a direct connection. */
    String url() {
        return url(postgres.port());
    }

    /** Settings of a connection through a proxy. */
    String url(FaultyProxy way) {
        return url(way.port());
    }

    private String url(int port) {
        return "postgres://%s:%s@127.0.0.1:%d/%s"
                .formatted(postgres.user(), postgres.password(), port, postgres.database());
    }

    /** Kills the database; it restarts at the same address. */
    void kill() {
        directory.postmaster().ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        postgres.stop();
    }
}
