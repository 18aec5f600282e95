package io.millrace.support;

import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * Template of a data directory: the programs of PostgreSQL, and an embedded database with the schema of this release and
 * no rows. A copy saves a first start the decompression, initdb and the migrations, which take longer than the rest of
 * that start.
 *
 * <p>The first process of a run of the check creates it for all, in the folder of the {@link StartCaches}. Without that
 * folder, each JVM creates a separate template on first use and removes it at its end.
 */
final class PreparedData {
    private PreparedData() {}

    /** Copies the template, with owners and modes, into a directory. */
    static void copyTo(Path directory) {
        copy(Prototype.DIRECTORY, directory);
    }

    private static void copy(Path from, Path directory) {
        TestFolder.run(directory, List.of("cp", "-a", from + File.separator + ".", "."));
    }

    private static void migrate(Path directory) {
        var server =
                EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(directory).withOptions(TestPostgres.NOT_DURABLE));
        try {
            TestPostgres.migrate(server.connection());
            shortenProof(server);
        } finally {
            server.stop();
        }
    }

    /** A proof of the password by thousands of hashes takes 70 ms of processor time for each connection by TCP. */
    private static void shortenProof(EmbeddedPostgres server) {
        var url = "jdbc:postgresql://127.0.0.1:" + server.port() + "/" + server.database();
        try (var connection = DriverManager.getConnection(url, server.user(), server.password());
                var statement = connection.createStatement()) {
            statement.execute("set scram_iterations = 1");
            statement.execute("alter role " + server.user() + " password '" + server.password() + "'");
        } catch (SQLException failure) {
            throw new IllegalStateException("expected to set a password", failure);
        }
    }

    private static final class Prototype {
        static final Path DIRECTORY =
                StartCaches.folder().map(Prototype::shared).orElseGet(Prototype::separate);

        private static Path separate() {
            var directory = DataDirectory.create();
            Runtime.getRuntime().addShutdownHook(new Thread(directory::close, "remove-prepared-data"));
            migrate(directory.path());
            return directory.path();
        }

        private static Path shared(Path folder) {
            var complete = folder.resolve("prepared-data");
            try {
                Files.createDirectories(folder);
                try (var channel = FileChannel.open(
                                folder.resolve("prepared-data.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                        var _ = channel.lock()) {
                    if (!Files.exists(complete)) {
                        make(folder, complete);
                    }
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            return complete;
        }

        /** Migrates among the temporary files: the user of PostgreSQL may be unable to enter the folder. */
        private static void make(Path folder, Path complete) throws IOException {
            var part = Files.createTempDirectory(folder, "prepared-data-");
            try (var directory = DataDirectory.create()) {
                migrate(directory.path());
                copy(directory.path(), part);
            }
            Files.move(part, complete, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
