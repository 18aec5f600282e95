package io.millrace.base.backup;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * Snapshot of a database: a transaction that sees no later change and blocks no other session. Tables are found in the
 * catalogue, so that a new one cannot be forgotten.
 */
final class SnapshotStore implements AutoCloseable {
    /**
     * Tables bound to the PostgreSQL cluster that wrote them: its transaction ids mean nothing in another cluster, and
     * no reader needs old entries. The history of migrations is written by migrations. The list of open editors is
     * short-lived.
     */
    private static final Set<String> LEFT_OUT =
            Set.of("change_log", "cluster_message", "editor_lock", "editor_presence", "flyway_schema_history");

    private static final String HAS_SCHEMA = "select to_regclass('flyway_schema_history') is not null as found";

    private static final String VERSION = """
            select version from flyway_schema_history where success and version is not null
             order by installed_rank desc limit 1
            """;

    private static final String TABLES = """
            select c.relname::text as name,
                   array(select a.attname::text from pg_attribute a
                          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                          order by a.attnum) as columns
              from pg_class c
             where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
             order by c.relname
            """;

    private static final String SIZES = """
            select c.relname::text as name,
                   pg_table_size(c.oid) + (select coalesce(sum(pg_table_size(i.inhrelid)), 0)::bigint
                                             from pg_inherits i where i.inhparent = c.oid) as bytes
              from pg_class c
             where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            """;

    /** A constraint that is checked at the end of the transaction needs no order. */
    private static final String REFERENCES = """
            select f.relname::text as referring, t.relname::text as referred
              from pg_constraint r join pg_class f on f.oid = r.conrelid join pg_class t on t.oid = r.confrelid
             where r.contype = 'f' and not r.condeferred and f.relnamespace = current_schema()::regnamespace
               and r.conrelid <> r.confrelid
            """;

    private static final String PARTITIONS = """
            select p.relname::text as parent, c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
              from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
             where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relispartition
               and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
             order by c.relname
            """;

    private static final String SEQUENCES = """
            select sequencename::text as name, last_value from pg_sequences
             where schemaname = current_schema() and last_value is not null order by sequencename
            """;

    private static final String DISABLED_TRIGGERS = """
            select c.relname::text as table, t.tgname::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
             where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgenabled = 'D'
               and t.tgparentid = 0
             order by c.relname, t.tgname
            """;

    private final Connection connection;

    private SnapshotStore(Connection connection) {
        this.connection = connection;
    }

    static SnapshotStore open(DatabaseSettings settings) throws SQLException {
        var connection = JdbcConnections.open(settings, "millrace-backup");
        try {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            run(connection, "set local idle_in_transaction_session_timeout = 0");
            return new SnapshotStore(connection);
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }

    BackupContents contents(String release, Instant now) throws SQLException {
        if (!all(HAS_SCHEMA, row -> row.getBoolean("found")).getFirst()) {
            throw new BackupException("the database has no tables of Millrace: there is nothing to back up");
        }
        return new BackupContents(
                release,
                all(VERSION, row -> row.getString("version")).getFirst(),
                now,
                tables(),
                all(
                        PARTITIONS,
                        row -> new BackupContents.Partition(
                                row.getString("parent"), row.getString("name"), row.getString("bound"))),
                all(SEQUENCES, row -> new BackupContents.Sequence(row.getString("name"), row.getLong("last_value"))),
                all(
                        DISABLED_TRIGGERS,
                        row -> new BackupContents.DisabledTrigger(row.getString("table"), row.getString("name"))));
    }

    /** Bytes on disk of these tables, without their indexes. */
    Map<String, Long> sizes(List<BackupContents.CopiedTable> tables) throws SQLException {
        var names = tables.stream().map(BackupContents.CopiedTable::name).collect(Collectors.toSet());
        return all(SIZES, row -> Map.entry(row.getString("name"), row.getLong("bytes"))).stream()
                .filter(size -> names.contains(size.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private List<BackupContents.CopiedTable> tables() throws SQLException {
        var tables = all(
                        TABLES,
                        row -> new BackupContents.CopiedTable(row.getString("name"), Arrays.asList((String[])
                                row.getArray("columns").getArray())))
                .stream()
                .filter(table -> !LEFT_OUT.contains(table.name()))
                .collect(Collectors.toMap(
                        BackupContents.CopiedTable::name, table -> table, (one, _) -> one, TreeMap::new));
        var references = new TreeMap<String, Set<String>>();
        all(REFERENCES, row -> Map.entry(row.getString("referring"), row.getString("referred")))
                .forEach(reference -> references
                        .computeIfAbsent(reference.getKey(), _ -> new TreeSet<>())
                        .add(reference.getValue()));
        return ordered(tables, references);
    }

    private static List<BackupContents.CopiedTable> ordered(
            Map<String, BackupContents.CopiedTable> tables, Map<String, Set<String>> references) {
        var ordered = new ArrayList<BackupContents.CopiedTable>();
        var done = new HashSet<String>();
        while (ordered.size() < tables.size()) {
            var next = tables.keySet().stream()
                    .filter(name -> !done.contains(name))
                    .filter(name -> done.containsAll(references.getOrDefault(name, Set.of())))
                    .toList();
            if (next.isEmpty()) {
                throw new IllegalStateException("tables refer to each other in a circle: " + tables.keySet());
            }
            next.forEach(name -> ordered.add(tables.get(name)));
            done.addAll(next);
        }
        return ordered;
    }

    TableSum copyOut(BackupContents.CopiedTable table, OutputStream target) throws SQLException, IOException {
        var digest = new RowDigest(target);
        copyOut(connection, table, digest);
        return digest.sum();
    }

    static void copyOut(Connection connection, BackupContents.CopiedTable table, OutputStream target)
            throws SQLException, IOException {
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("copy (select " + columns(table) + " from \"" + table.name() + "\") to stdout", target);
    }

    static String columns(BackupContents.CopiedTable table) {
        return table.columns().stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
    }

    static void run(Connection connection, String statement) throws SQLException {
        try (var prepared = connection.createStatement()) {
            prepared.execute(statement);
        }
    }

    private <T> List<T> all(String query, JdbcConnections.Reading<T> reading) throws SQLException {
        return JdbcConnections.all(connection, query, reading);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
