package io.millrace.base.persistence.postgres;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of the embedded server. Options are set here, not in the data: they change with the release. */
final class PostgresOptions {
    private PostgresOptions() {}

    static List<String> words(
            EmbeddedPostgres.Settings settings, PostgresBinaries binaries, Path data, Path sockets, int port) {
        var words =
                new ArrayList<>(List.of(binaries.program("postgres"), "-D", data.toString(), "-k", sockets.toString()));
        for (var option : List.of(
                "listen_addresses=127.0.0.1",
                "port=" + port,
                "unix_socket_permissions=0700",
                "max_connections=" + settings.connectionsMax(),
                "shared_buffers=" + settings.sharedBuffersMb() + "MB",
                "fsync=on",
                "full_page_writes=on",
                "synchronous_commit=on",
                // One host, no replica: the log only serves recovery.
                "wal_level=minimal",
                "max_wal_senders=0",
                "max_wal_size=128MB",
                "max_logical_replication_workers=0",
                "io_method=sync",
                "jit=off",
                // A day's first statistics: until they exist, searches of a busy day's runs are planned without
                // statistics.
                "autovacuum_naptime=15s",
                "max_parallel_workers_per_gather=0",
                "timezone=UTC",
                "log_timezone=UTC",
                // Errors of statements are reported to the client, and their values must not be logged.
                "log_min_messages=log",
                "log_min_error_statement=panic",
                "log_error_verbosity=terse",
                "log_checkpoints=off")) {
            words.add("-c");
            words.add(option);
        }
        for (var option : settings.options()) {
            words.add("-c");
            words.add(option);
        }
        return words;
    }
}
