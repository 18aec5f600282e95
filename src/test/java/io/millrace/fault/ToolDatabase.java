package io.millrace.fault;

import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.support.DataDirectory;
import io.millrace.support.FaultyProxy;
import java.nio.file.Path;

/** A PostgreSQL that the storm runs, for servers to which it is an external one. It lies where a server's own would. */
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

    /** A way to it that can be disturbed. */
    FaultyProxy way() {
        return FaultyProxy.to(postgres.port());
    }

    /** Address for servers that nothing stands between. */
    String url() {
        return url(postgres.port());
    }

    /** Address for servers that take a way. */
    String url(FaultyProxy way) {
        return url(way.port());
    }

    private String url(int port) {
        return "postgres://%s:%s@127.0.0.1:%d/%s"
                .formatted(postgres.user(), postgres.password(), port, postgres.database());
    }

    /** Ends it at once; it starts again by itself, at the same address. */
    void kill() {
        directory.postmaster().ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        postgres.stop();
    }
}
