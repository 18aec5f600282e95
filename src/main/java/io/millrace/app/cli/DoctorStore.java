package io.millrace.app.cli;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Read-only queries on a database with any version of the schema. */
final class DoctorStore implements AutoCloseable {
    static final int LONG_MINUTES = 5;

    private static final String FREE_CONNECTIONS = """
            select current_setting('max_connections')::int - (select count(*) from pg_stat_activity
                                                               where backend_type = 'client backend') as free
            """;

    private static final String LONG_TRANSACTIONS = """
            select pid || ' of ' || coalesce(nullif(application_name, ''), 'unknown client') || ', ' || state || ', has been open for '
                   || (extract(epoch from now() - xact_start) / 60)::int || ' minutes' as transaction
              from pg_stat_activity
             where datname = current_database() and xact_start < now() - make_interval(mins => %d)
               and backend_type = 'client backend'
             order by xact_start
            """.formatted(LONG_MINUTES);

    private static final String RUNS_WITHOUT_NODE = """
            select count(*) as runs from run r
             where r.status = 'RUNNING'
               and not exists (select from node n where n.id = r.owner and n.lease_until > now() - interval '1 minute')
            """;

    private static final String APPLIED =
            "select version from flyway_schema_history where success and version is not null order by installed_rank";

    private static final String TABLE_BYTES = """
            select coalesce(sum(pg_table_size(c.oid)), 0)::bigint as bytes from pg_class c
             where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'm')
            """;

    private static final String NODES_SAY_SCHEMA = """
            select count(*) > 0 as found from information_schema.columns
             where table_schema = current_schema() and table_name = 'node' and column_name = 'schema_version'
            """;

    private static final String NODES_BY_SCHEMA = """
            select coalesce(schema_version, 'unknown') as schema, count(*) as nodes from node where lease_until > now() group by 1
            """;

    private static final String NODES = """
            select 'unknown' as schema, count(*) as nodes from node where lease_until > now() having count(*) > 0
            """;

    private final Connection connection;

    private DoctorStore(Connection connection) {
        this.connection = connection;
    }

    static DoctorStore open(DatabaseSettings settings) throws SQLException {
        var connection = JdbcConnections.open(settings, "millrace-doctor");
        connection.setReadOnly(true);
        return new DoctorStore(connection);
    }

    String release() throws SQLException {
        return one("show server_version", row -> row.getString("server_version"));
    }

    Instant now() throws SQLException {
        return one(
                "select clock_timestamp() as now",
                row -> row.getObject("now", OffsetDateTime.class).toInstant());
    }

    int freeConnections() throws SQLException {
        return one(FREE_CONNECTIONS, row -> row.getInt("free"));
    }

    /** Long transactions, each as a line that begins with the id of its process. */
    List<String> longTransactions() throws SQLException {
        return all(LONG_TRANSACTIONS, row -> row.getString("transaction"));
    }

    /** The last applied migration; empty without a schema. */
    Optional<String> schemaVersion() throws SQLException {
        if (one("select to_regclass('flyway_schema_history') is null as missing", row -> row.getBoolean("missing"))) {
            return Optional.empty();
        }
        return all(
                        "select version from flyway_schema_history where success and version is not null"
                                + " order by installed_rank desc limit 1",
                        row -> row.getString("version"))
                .stream()
                .findFirst();
    }

    /** All applied migrations, oldest first; empty without a schema. */
    List<String> appliedVersions() throws SQLException {
        return schemaVersion().isEmpty() ? List.of() : all(APPLIED, row -> row.getString("version"));
    }

    /** Size of the tables on disk, without their indexes. */
    long tableBytes() throws SQLException {
        return one(TABLE_BYTES, row -> row.getLong("bytes"));
    }

    /** Number of live nodes by the newest migration that each knows; "unknown" for nodes of releases that do not report it. */
    Map<String, Long> nodesBySchema() throws SQLException {
        var says = one(NODES_SAY_SCHEMA, row -> row.getBoolean("found"));
        var nodes = new TreeMap<String, Long>();
        all(says ? NODES_BY_SCHEMA : NODES, row -> nodes.put(row.getString("schema"), row.getLong("nodes")));
        return nodes;
    }

    long runsUnderWay() throws SQLException {
        return one("select count(*) as runs from run", row -> row.getLong("runs"));
    }

    long runsWithoutNode() throws SQLException {
        return one(RUNS_WITHOUT_NODE, row -> row.getLong("runs"));
    }

    long liveNodes() throws SQLException {
        return one("select count(*) as nodes from node where lease_until > now()", row -> row.getLong("nodes"));
    }

    private <T> T one(String query, JdbcConnections.Reading<T> reading) throws SQLException {
        return all(query, reading).getFirst();
    }

    private <T> List<T> all(String query, JdbcConnections.Reading<T> reading) throws SQLException {
        return JdbcConnections.all(connection, query, reading);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
