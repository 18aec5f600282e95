package io.millrace.base.backup;

import io.millrace.base.persistence.DatabaseSettings;
import io.millrace.base.persistence.JdbcConnections;
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

    /** Begins; the segment from which on the log is needed. */
    String begin() throws SQLException {
        return text("select pg_walfile_name(pg_backup_start('millrace', true))");
    }

    /** Ends the copy and returns its label. */
    String end() throws SQLException {
        return text("select labelfile from pg_backup_stop(false)");
    }

    Instant now() throws SQLException {
        return JdbcConnections.all(
                        connection,
                        "select clock_timestamp()",
                        row -> row.getObject(1, OffsetDateTime.class).toInstant())
                .getFirst();
    }

    private String text(String query) throws SQLException {
        return JdbcConnections.all(connection, query, row -> row.getString(1)).getFirst();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
