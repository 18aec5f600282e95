package io.millrace.base.persistence.postgres;

import io.millrace.support.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** Directory of an embedded server, inspected from outside: by files, processes and one plain connection. */
final class PostgresFixture {
    private PostgresFixture() {}

    /** Opens a temporary directory of the test framework to the user that PostgreSQL runs as. */
    static Path passable(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        return directory;
    }

    /** Links the programs of another data directory: unpacking takes most of a first start. */
    static void linkPrograms(Path shared, Path directory) throws IOException {
        var name = "bin-" + PostgresBinaries.VERSION;
        PostgresBinaries.in(shared);
        var from = shared.resolve(name);
        var to = Files.createDirectories(home(directory)).resolve(name);
        try (var files = Files.walk(from)) {
            for (var file : (Iterable<Path>) files::iterator) {
                var copy = to.resolve(from.relativize(file));
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectory(copy);
                } else {
                    Files.createLink(copy, file);
                }
            }
        }
    }

    /** Settings of a server that need not be durable. */
    static EmbeddedPostgres.Settings quick(Path directory) {
        return EmbeddedPostgres.Settings.of(directory).withOptions(TestPostgres.NOT_DURABLE);
    }

    static Path home(Path directory) {
        return directory.resolve("postgres");
    }

    static String password(Path directory) throws IOException {
        return Files.readString(home(directory).resolve("password"));
    }

    static ProcessHandle postmaster(Path directory) throws IOException {
        var number = Files.readAllLines(home(directory).resolve("data/postmaster.pid"))
                .getFirst();
        return ProcessHandle.of(Long.parseLong(number.strip())).orElseThrow();
    }

    /** Executes statements and returns the first column of the last result's first row, or null. */
    static String ask(int port, String password, String... statements) throws SQLException {
        var url = "jdbc:postgresql://127.0.0.1:" + port + "/" + PostgresCluster.DATABASE;
        String answer = null;
        try (var connection = DriverManager.getConnection(url, PostgresCluster.USER, password);
                var statement = connection.createStatement()) {
            for (var sql : List.of(statements)) {
                if (statement.execute(sql)) {
                    var rows = statement.getResultSet();
                    answer = rows.next() ? rows.getString(1) : null;
                }
            }
        }
        return answer;
    }

    static String ask(EmbeddedPostgres server, String... statements) throws SQLException {
        return ask(server.port(), server.password(), statements);
    }
}
