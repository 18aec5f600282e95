package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.file.Path;

/** A program that owns an embedded server until it is killed: the victim of {@link EmbeddedPostgresKillIT}. */
final class PostgresOwner {
    private PostgresOwner() {}

    /** Starts PostgreSQL in the directory that is named, writes its port, and waits for the end of the input. */
    public static void main(String[] arguments) throws IOException {
        var server = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(Path.of(arguments[0])));
        System.out.println("port " + server.port());
        while (System.in.read() >= 0) {
            System.out.println("still waiting");
        }
    }
}
