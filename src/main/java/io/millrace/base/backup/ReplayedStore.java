package io.millrace.base.backup;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

final class ReplayedStore implements AutoCloseable {
    private static final String TABLES = """
            select c.relname::text as name from pg_class c
             where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by c.relname
            """;

    private static final String VERSION = """
            select version from flyway_schema_history where success and version is not null
             order by installed_rank desc limit 1
            """;

    private static final String LAST_CHANGE =
            "select coalesce(pg_last_xact_replay_timestamp(), to_timestamp(0)) as changed";

    private final Connection connection;

    private ReplayedStore(Connection connection) {
        this.connection = connection;
    }

    static ReplayedStore open(DatabaseSettings settings) throws SQLException {
        return new ReplayedStore(JdbcConnections.open(settings, "millrace-restore"));
    }

    String schemaVersion() throws SQLException {
        return JdbcConnections.all(connection, VERSION, row -> row.getString("version"))
                .getFirst();
    }

    List<String> tables() throws SQLException {
        return JdbcConnections.all(connection, TABLES, row -> row.getString("name"));
    }

    /** Reads a table through: PostgreSQL compares the sum of each page. */
    long rows(String table) throws SQLException {
        return JdbcConnections.all(
                        connection, "select count(*) as rows from \"" + table + "\"", row -> row.getLong("rows"))
                .getFirst();
    }

    Instant lastChange() throws SQLException {
        return JdbcConnections.all(
                        connection,
                        LAST_CHANGE,
                        row -> row.getObject("changed", OffsetDateTime.class).toInstant())
                .getFirst();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
