package io.millrace.base.backup;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** The session that keeps PostgreSQL in backup mode; when it ends too early, the copy is unusable. */
final class BaseCopyStore implements AutoCloseable {
    private final Connection connection;

    private BaseCopyStore(Connection connection) {
        this.connection = connection;
    }

    static BaseCopyStore open(DatabaseSettings settings) throws SQLException {
        return new BaseCopyStore(JdbcConnections.open(settings, "millrace-base-copy"));
    }

    /** Starts the copy and returns the first log segment that it needs. */
    String begin() throws SQLException {
        return text("select pg_walfile_name(pg_backup_start('millrace', true)) as text");
    }

    String end() throws SQLException {
        return text("select labelfile as text from pg_backup_stop(false)");
    }

    Instant now() throws SQLException {
        return JdbcConnections.all(
                        connection,
                        "select clock_timestamp() as now",
                        row -> row.getObject("now", OffsetDateTime.class).toInstant())
                .getFirst();
    }

    /** @param query query with one column {@code text} */
    private String text(String query) throws SQLException {
        return JdbcConnections.all(connection, query, row -> row.getString("text"))
                .getFirst();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
