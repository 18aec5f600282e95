package io.millrace.base.backup;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * Restores rows into a fresh schema of their version, verifies them there, and then publishes them to servers: all in one
 * transaction, so that a crash at any moment leaves the database as it was. The schema is built separately from the one that
 * servers use.
 */
final class RestoreStore implements AutoCloseable {
    /** Key of the advisory lock of restores; an arbitrary number that no other code locks. */
    private static final long LOCK = 0x6d696c6c62616b75L;

    private static final String LEFTOVERS =
            "select nspname::text as name from pg_namespace where nspname like 'millrace\\_restore\\_%'";

    /** Objects that servers could see: tables, views, sequences. */
    private static final String SEEN = """
            select count(*) as seen from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = ? and c.relkind in ('r', 'p', 'v', 'm', 'S')
            """;

    /** The sequence of a column moves with its table. */
    private static final String MOVES = """
            select format('alter %s %I.%I set schema %I',
                          case c.relkind when 'v' then 'view' else 'table' end, n.nspname, c.relname, ?) as move
              from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = ? and c.relkind in ('r', 'p', 'v')
             union all
            select format('alter function %s set schema %I', p.oid::regprocedure, ?)
              from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = ?
            """;

    private final Connection connection;
    private final String schema;

    private RestoreStore(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    static String servedSchema(DatabaseSettings settings) throws SQLException {
        try (var connection = JdbcConnections.open(settings, "millrace-restore");
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select current_schema() as name")) {
            rows.next();
            var name = rows.getString("name");
            if (name == null) {
                throw new BackupException("the database has no schema that its user may use: create the schema public");
            }
            return name;
        }
    }

    /** Makes an empty schema, after those that killed restores left have been removed; refuses a database in use. */
    static void prepare(DatabaseSettings settings, String served, String schema) throws SQLException {
        try (var connection = JdbcConnections.open(settings, "millrace-restore")) {
            refuseUsed(connection, served);
            for (var leftover : JdbcConnections.all(connection, LEFTOVERS, row -> row.getString("name"))) {
                SnapshotStore.run(connection, "drop schema \"" + leftover + "\" cascade");
            }
            SnapshotStore.run(connection, "create schema \"" + schema + "\"");
        }
    }

    private static void refuseUsed(Connection connection, String served) throws SQLException {
        try (var statement = connection.prepareStatement(SEEN)) {
            statement.setString(1, served);
            try (var rows = statement.executeQuery()) {
                rows.next();
                var seen = rows.getLong("seen");
                if (seen > 0) {
                    throw new BackupException("the database is not empty: its schema " + served + " has " + seen
                            + " tables, views and sequences; restore into an empty database");
                }
            }
        }
    }

    /** Opens the transaction, in a schema that has been built. */
    static RestoreStore open(DatabaseSettings settings, String schema) throws SQLException {
        var connection = JdbcConnections.open(settings, "millrace-restore");
        try {
            connection.setAutoCommit(false);
            SnapshotStore.run(connection, "set local idle_in_transaction_session_timeout = 0");
            SnapshotStore.run(connection, "select pg_advisory_xact_lock(" + LOCK + ")");
            SnapshotStore.run(connection, "set local search_path = \"" + schema + "\"");
            return new RestoreStore(connection, schema);
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }

    /** Prepares the tables: without rows that migrations wrote, and without triggers that would react to the restored rows. */
    void begin(BackupContents contents) throws SQLException {
        for (var partition : contents.partitions()) {
            SnapshotStore.run(
                    connection,
                    "create table \"" + partition.name() + "\" partition of \"" + partition.parent() + "\" "
                            + partition.bounds());
        }
        for (var table : contents.tables()) {
            SnapshotStore.run(connection, "alter table \"" + table.name() + "\" disable trigger user");
        }
        SnapshotStore.run(
                connection,
                "truncate "
                        + contents.tables().stream()
                                .map(table -> "\"" + table.name() + "\"")
                                .collect(Collectors.joining(", ")));
    }

    void copyIn(BackupContents.CopiedTable table, InputStream rows) throws SQLException, IOException {
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("copy \"" + table.name() + "\" (" + SnapshotStore.columns(table) + ") from stdin", rows);
    }

    void finish(BackupContents contents) throws SQLException {
        // A table with a deferred check cannot be altered.
        SnapshotStore.run(connection, "set constraints all immediate");
        for (var sequence : contents.sequences()) {
            SnapshotStore.run(connection, "select setval('\"" + sequence.name() + "\"', " + sequence.last() + ")");
        }
        for (var table : contents.tables()) {
            SnapshotStore.run(connection, "alter table \"" + table.name() + "\" enable trigger user");
        }
        for (var trigger : contents.disabledTriggers()) {
            SnapshotStore.run(
                    connection, "alter table \"" + trigger.table() + "\" disable trigger \"" + trigger.name() + "\"");
        }
    }

    /** Refuses a table that differs from the backup. */
    void check(BackupContents contents, Map<String, TableSum> expected) throws SQLException, IOException {
        for (var table : contents.tables()) {
            var digest = RowDigest.alone();
            SnapshotStore.copyOut(connection, table, digest);
            if (!digest.sum().equals(expected.get(table.name()))) {
                throw new BackupException("the table " + table.name() + " differs from the backup: expected "
                        + expected.get(table.name()) + ", found " + digest.sum());
            }
        }
    }

    /** Shows everything to servers, and ends the transaction. */
    void publish(String served) throws SQLException {
        if (!served.equals(schema)) {
            refuseUsed(connection, served);
            for (var move : moves(served)) {
                SnapshotStore.run(connection, move);
            }
            SnapshotStore.run(connection, "drop schema \"" + schema + "\"");
        }
        connection.commit();
    }

    private List<String> moves(String served) throws SQLException {
        try (var statement = connection.prepareStatement(MOVES)) {
            statement.setString(1, served);
            statement.setString(2, schema);
            statement.setString(3, served);
            statement.setString(4, schema);
            var moves = new ArrayList<String>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    moves.add(rows.getString("move"));
                }
            }
            return moves;
        }
    }

    /** Undoes unpublished changes. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
