package io.millrace.support;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.vertx.core.Vertx;

/** Database of a single test, and the Vert.x that connects to it. */
public final class TestDatabase implements AutoCloseable {
    private final Vertx vertx = TestPostgres.vertx();
    private final DatabaseSettings settings;
    private final Database database;

    /** With the schema of this release. */
    public TestDatabase() {
        this(TestPostgres.freshDatabase());
    }

    private TestDatabase(DatabaseSettings settings) {
        this.settings = settings;
        this.database = Database.open(vertx, settings);
    }

    /** Without any table. */
    public static TestDatabase empty() {
        return of(TestPostgres.emptyDatabase());
    }

    public static TestDatabase of(DatabaseSettings settings) {
        return new TestDatabase(settings);
    }

    public DatabaseSettings settings() {
        return settings;
    }

    public Vertx vertx() {
        return vertx;
    }

    public Database database() {
        return database;
    }

    @Override
    public void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }
}
