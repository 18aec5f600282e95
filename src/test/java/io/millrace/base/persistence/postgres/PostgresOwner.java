package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.file.Path;

/** Program that owns an embedded server until it is killed, for {@link EmbeddedPostgresKillIT}. */
final class PostgresOwner {
    private PostgresOwner() {}

    /** Starts PostgreSQL in the given directory, prints its port, and waits for the end of its input. */
    public static void main(String[] arguments) throws IOException {
        var server = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(Path.of(arguments[0])));
        System.out.println("port " + server.port());
        while (System.in.read() >= 0) {
            System.out.println("still waiting");
        }
    }
}
