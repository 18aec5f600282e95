package io.millrace.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * One PostgreSQL for all tests of a JVM, without durability, and a separate database for each caller: a copy of a
 * template with the schema of this release. With MILLRACE_TEST_POSTGRES=testcontainers the server runs in a container;
 * tests are skipped without a container engine.
 */
public final class TestPostgres {
    /** A commit survives the end of processes, not of the machine; it is several times faster. */
    public static final List<String> NOT_DURABLE =
            List.of("fsync=off", "full_page_writes=off", "synchronous_commit=off");

    /** Autovacuum would visit each database every 15 s; a test that depends on statistics runs analyze. */
    private static final String RARE_AUTOVACUUM = "autovacuum_naptime=1h";

    /** Default of servers: two connections for commits of runs, six for the rest. */
    private static final int POOL_SIZE = 8;

    private final DatabaseSettings server;
    private final String template;
    private final AtomicInteger number = new AtomicInteger();
    private Connection administration;

    /** @param template database with the schema of this release, to which nothing is connected */
    private TestPostgres(DatabaseSettings server, String template) {
        this.server = server;
        this.template = template;
    }

    /** A fresh database with the schema of this release. */
    public static DatabaseSettings freshDatabase() {
        return One.SERVER.fresh("template " + One.SERVER.template + " strategy file_copy");
    }

    /** A fresh database without any table. */
    public static DatabaseSettings emptyDatabase() {
        return One.SERVER.fresh("");
    }

    /** Removes an unused database: hundreds of them would take minutes to remove at the end. */
    public static void drop(DatabaseSettings database) {
        One.SERVER.execute("drop database " + database.database() + " with (force)");
    }

    /** Settings of a database. */
    public static String url(DatabaseSettings database) {
        var place = database.isSocket() ? "" : database.host();
        return "postgres://" + database.user() + ":" + database.password() + "@" + place + ":" + database.port() + "/"
                + database.database()
                + (database.isSocket() ? "?host=" + database.host() + "&sslmode=disable" : "?sslmode=disable");
    }

    /** Closes every connection to a database and rejects new ones. */
    public static void cut(String name) {
        One.SERVER.execute("alter database " + name + " allow_connections false");
        One.SERVER.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name + "'");
    }

    /** A Vertx that can open the server's Unix socket. */
    public static Vertx vertx() {
        return Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    }

    private DatabaseSettings fresh(String template) {
        assumeTrue(server != null, "MILLRACE_TEST_POSTGRES=testcontainers, but no container engine answers");
        var name = "test_" + number.incrementAndGet();
        execute("create database " + name + " " + template);
        return server.withDatabase(name)
                .withPool(POOL_SIZE, server.pool().idleTimeout(), server.pool().connectTimeout());
    }

    /** Keeps its connection: a new one costs as much processor time as the copy of a database. */
    private synchronized void execute(String sql) {
        try {
            if (administration == null) {
                administration = connect();
            }
            try (var statement = administration.createStatement()) {
                statement.execute(sql);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException("expected to execute " + sql, failure);
        }
    }

    private Connection connect() throws SQLException {
        var url = "jdbc:postgresql://" + (server.isSocket() ? "127.0.0.1" : server.host()) + ":" + server.port()
                + "/postgres";
        return DriverManager.getConnection(url, server.user(), server.password());
    }

    /** Applies all migrations to an empty database; nothing is connected to it afterwards. */
    static void migrate(DatabaseSettings template) {
        var vertx = vertx();
        var database = Database.open(vertx, template);
        try {
            Waiting.await(Migrations.of(vertx).apply(database, template));
        } finally {
            Waiting.await(database.close());
            Waiting.await(vertx.close());
        }
    }

    /** Started on first use, stopped with the JVM. */
    private static final class One {
        static final TestPostgres SERVER = start();

        private static TestPostgres start() {
            var request = System.getenv().getOrDefault("MILLRACE_TEST_POSTGRES", "embedded");
            return switch (request) {
                case "embedded" -> embedded();
                case "testcontainers" -> container();
                default ->
                    throw new IllegalStateException(
                            "expected MILLRACE_TEST_POSTGRES to be embedded or testcontainers, found " + request);
            };
        }

        private static TestPostgres embedded() {
            var directory = DataDirectory.prepared().path();
            var server = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(directory)
                    .withOptions(Stream.concat(NOT_DURABLE.stream(), Stream.of(RARE_AUTOVACUUM))
                            .toList())
                    .withConnectionsMax(200));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                server.stop();
                TestFolder.remove(directory);
            }));
            return new TestPostgres(server.connection(), server.database());
        }

        private static TestPostgres container() {
            assumeTrue(
                    DockerClientFactory.instance().isDockerAvailable(),
                    "MILLRACE_TEST_POSTGRES=testcontainers, but no container engine answers");
            var container = new PostgreSQLContainer(DockerImageName.parse("postgres:18"));
            container.start();
            Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
            var database = DatabaseSettings.of(
                    container.getHost(),
                    container.getFirstMappedPort(),
                    container.getDatabaseName(),
                    container.getUsername(),
                    container.getPassword());
            migrate(database);
            return new TestPostgres(database, container.getDatabaseName());
        }
    }
}
