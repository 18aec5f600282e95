package io.millrace.support;

import io.millrace.base.persistence.Database;
import io.vertx.core.Vertx;

/** A database of a test's own, with the schema, and the Vert.x by which it is reached. */
public final class TestDatabase implements AutoCloseable {
    private final Vertx vertx = TestPostgres.vertx();
    private final Database database = Database.open(vertx, TestPostgres.freshDatabase());

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
