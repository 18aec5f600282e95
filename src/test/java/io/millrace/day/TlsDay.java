package io.millrace.day;

import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A server on an external PostgreSQL that accepts TLS only, with a URL with {@code sslmode=verify-full} as providers
 * issue it.
 */
final class TlsDay {
    private static final Duration START = Duration.ofMinutes(3);
    private static final int DATABASE_USER = 65_534;
    private static final int REFUSED_SETTING = 78;

    private final PackagedFile file;
    private final Path folder;
    private final DayFindings findings;

    TlsDay(PackagedFile file, Path files, DayFindings findings) throws IOException {
        this.file = file;
        this.folder = Files.createDirectories(files.resolve("tls"));
        this.findings = findings;
    }

    void pass(List<String> words) throws IOException {
        for (var open : List.of(folder.getParent(), folder)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwx--x--x"));
        }
        var own = new TlsFiles(folder, "own");
        new TlsFiles(folder, "other");
        own.issue("localhost");
        var postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(folder.resolve("data"))
                .withOptions(List.of(
                        "ssl=on",
                        "ssl_cert_file=" + folder.resolve("localhost.crt"),
                        "ssl_key_file=" + serverKey(),
                        "hba_file=" + access())));
        try (var directory = DataDirectory.create()) {
            trusted(directory, Map.of("AP_POSTGRES_URL", url(postgres, "localhost", "own.crt")), words);
            refused("of another authority", directory, url(postgres, "localhost", "other.crt"));
            refused("of another host", directory, url(postgres, "127.0.0.1", "own.crt"));
            refused("without a file of it", directory, url(postgres, "localhost", "missing.crt"));
        } finally {
            postgres.stop();
        }
    }

    private Path serverKey() throws IOException {
        var key = Files.copy(folder.resolve("localhost.key"), folder.resolve("server.key"));
        if (System.getProperty("user.name").equals("root")) {
            Files.setAttribute(key, "unix:uid", DATABASE_USER);
        }
        return Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    private Path access() throws IOException {
        var access = Files.writeString(folder.resolve("access.conf"), """
            local all all scram-sha-256
            hostssl all all 127.0.0.1/32 scram-sha-256
            hostssl all all ::1/128 scram-sha-256
            """);
        for (var file : List.of(access, folder.resolve("own.crt"), folder.resolve("localhost.crt"))) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        return access;
    }

    private String url(EmbeddedPostgres postgres, String host, String authority) {
        return "postgres://" + postgres.user() + ":" + postgres.password() + "@" + host + ":" + postgres.port() + "/"
                + postgres.database() + "?sslmode=verify-full&sslrootcert=" + folder.resolve(authority);
    }

    private void trusted(DataDirectory directory, Map<String, String> settings, List<String> words) throws IOException {
        var checked = file.run(directory.path(), settings, "config", "check");
        findings.add("verify-full: config check", checked.isOk(), "status " + checked.status());
        var began = System.nanoTime();
        try (var server = file.start(directory.path(), settings, words)) {
            var flow = PublishedFlow.create(server.api(START), Day.demoFlow());
            findings.add("verify-full: the server serves", true, "after " + Day.msSince(began) + " ms");
            var answer = flow.api().post("/v1/webhooks/" + flow.flowId() + "/sync", UpgradeDay.order());
            findings.add("verify-full: the flow answers", answer.status() == 200, "status " + answer.status());
            var doctor = file.run(directory.path(), settings, "doctor", "--json");
            findings.add(
                    "verify-full: doctor reaches the database",
                    doctor.out().contains("\"database\"") && !doctor.out().contains("does not respond"),
                    "status " + doctor.status());
        }
    }

    /** The start ends with a permanent status, so that a supervisor does not repeat it. */
    private void refused(String what, DataDirectory directory, String url) {
        var start = file.run(directory.path(), Map.of("AP_POSTGRES_URL", url, "AP_HOST", "127.0.0.1"), "run");
        var said = (start.out() + start.err()).strip();
        findings.add(
                "verify-full: a certificate " + what + " ends the start",
                start.status() == REFUSED_SETTING,
                "status " + start.status() + " " + said.substring(Math.max(0, said.length() - 200)));
    }
}
