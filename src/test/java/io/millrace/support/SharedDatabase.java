package io.millrace.support;

import io.millrace.base.persistence.connection.DatabaseSettings;
import java.util.concurrent.atomic.AtomicInteger;

/** Database of a server and its successors: removed when the last of them is closed, unless a test owns it. */
final class SharedDatabase {
    private final DatabaseSettings settings;
    private final AtomicInteger users;

    private SharedDatabase(DatabaseSettings settings, int users) {
        this.settings = settings;
        this.users = new AtomicInteger(users);
    }

    static SharedDatabase fresh() {
        return new SharedDatabase(TestPostgres.freshDatabase(), 0);
    }

    /** A database that the test itself closes. */
    static SharedDatabase of(DatabaseSettings settings) {
        return new SharedDatabase(settings, 1);
    }

    DatabaseSettings settings() {
        return settings;
    }

    SharedDatabase enter() {
        users.incrementAndGet();
        return this;
    }

    void leave() {
        if (users.decrementAndGet() == 0) {
            TestPostgres.drop(settings);
        }
    }
}
