package io.millrace.support;

import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * PostgreSQL that accepts encrypted connections only. Its certificate names localhost and is issued by the authority
 * {@code own.crt} of the directory; {@code other.crt} is another authority. The database template1 asks for a client's certificate,
 * such as {@code postgres.crt}.
 */
public final class TlsPostgres implements AutoCloseable {
    private static final int DATABASE_USER = 65_534;

    private final Path directory;
    private final EmbeddedPostgres postgres;

    private TlsPostgres(Path directory, EmbeddedPostgres postgres) {
        this.directory = directory;
        this.postgres = postgres;
    }

    /** Starts a server in a new directory. */
    public static TlsPostgres start() {
        try {
            return in(Files.createTempDirectory("millrace-test-"));
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    private static TlsPostgres in(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        var own = new TlsFiles(directory, "own");
        new TlsFiles(directory, "other");
        own.issue("localhost");
        own.issue("postgres");
        var access = Files.writeString(directory.resolve("access.conf"), """
            local all all scram-sha-256
            hostssl postgres all 127.0.0.1/32 scram-sha-256
            hostssl postgres all ::1/128 scram-sha-256
            hostssl template1 all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca
            hostssl template1 all ::1/128 scram-sha-256 clientcert=verify-ca
            host all all 127.0.0.1/32 reject
            """);
        for (var file : List.of("own.crt", "localhost.crt", "access.conf")) {
            Files.setPosixFilePermissions(directory.resolve(file), PosixFilePermissions.fromString("rw-r--r--"));
        }
        var key = Files.copy(directory.resolve("localhost.key"), directory.resolve("server.key"));
        if (System.getProperty("user.name").equals("root")) {
            Files.setAttribute(key, "unix:uid", DATABASE_USER);
        }
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        return new TlsPostgres(
                directory,
                EmbeddedPostgres.start(
                        EmbeddedPostgres.Settings.of(directory.resolve("data").toAbsolutePath())
                                .withOptions(List.of(
                                        "fsync=off",
                                        "ssl=on",
                                        "ssl_cert_file=" + directory.resolve("localhost.crt"),
                                        "ssl_key_file=" + key,
                                        "ssl_ca_file=" + own.authority(),
                                        "hba_file=" + access))));
    }

    /** Directory of the certificate and key files. */
    public Path directory() {
        return directory;
    }

    /** Value of AP_POSTGRES_URL; DIR in the query is the directory. */
    public String url(String host, String database, String query) {
        var connection = postgres.connection();
        return "postgres://" + connection.user() + ":" + connection.password() + "@" + host + ":" + connection.port()
                + "/" + database + "?" + query.replace("DIR", directory.toString());
    }

    @Override
    public void close() {
        postgres.stop();
        TestFolder.remove(directory);
    }
}
