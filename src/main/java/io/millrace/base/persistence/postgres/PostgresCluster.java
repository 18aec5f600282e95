package io.millrace.base.persistence.postgres;

import io.millrace.base.core.Ids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The database directory and its password. It is built next to its final location and moved there when it is complete, so
 * that a crash leaves no partial state for the next start. A directory of another major release is refused.
 */
final class PostgresCluster {
    static final String USER = "millrace";
    static final String DATABASE = "millrace";

    /** 43 characters of 0-9, A-Z and a-z are 256 bits: the iterations of SCRAM would add no strength. */
    private static final int PASSWORD_CHARACTERS = 43;

    private static final Pattern PASSWORD = Pattern.compile("[0-9A-Za-z]{" + PASSWORD_CHARACTERS + "}");

    private static final String STAGING = "data.new-";

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Pattern RELEASE = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3})?");

    private final Path home;
    private final PostgresBinaries binaries;
    private final PostgresAccount account;
    private final List<String> options;

    PostgresCluster(Path home, PostgresBinaries binaries, PostgresAccount account, List<String> options) {
        this.home = home;
        this.binaries = binaries;
        this.account = account;
        this.options = List.copyOf(options);
    }

    static Path directory(Path home) {
        return home.resolve("data");
    }

    /** Refuses data that this release cannot read; checks nothing else, so that it may run first. */
    static void checkVersion(Path home) throws IOException {
        var data = directory(home);
        if (!Files.exists(data)) {
            return;
        }
        var versionFile = data.resolve("PG_VERSION");
        if (!Files.exists(versionFile)) {
            if (FileTrees.isEmpty(data)) {
                return;
            }
            throw new PostgresStartException("the directory " + data + " is not empty and holds no database (no file"
                    + " PG_VERSION): move its files away, or change AP_DATA_DIR");
        }
        var found = Files.readString(versionFile).strip();
        if (!RELEASE.matcher(found).matches()) {
            throw new PostgresStartException("the database in " + data + " has an empty or damaged file PG_VERSION:"
                    + " restore it from a backup, or change AP_DATA_DIR");
        }
        if (!found.equals(PostgresBinaries.MAJOR)) {
            throw new PostgresStartException("the database in " + data + " was written by PostgreSQL " + found
                    + ", this server contains PostgreSQL " + PostgresBinaries.VERSION
                    + ": run the Millrace release that wrote it, or change AP_DATA_DIR");
        }
    }

    /** Ensures that the directory exists, is complete and is owned by the account; returns the password. */
    String prepare() throws IOException {
        var data = directory(home);
        var passwordFile = home.resolve("password");
        var isNew = !Files.exists(data.resolve("PG_VERSION"));
        var kept = kept(passwordFile);
        var password = kept.orElseGet(() -> Ids.random(PASSWORD_CHARACTERS));
        if (isNew) {
            writePrivately(passwordFile, password);
            create(data, password);
            return password;
        }
        if (FileTrees.owner(data) != account.user()) {
            account.own(data);
        }
        if (kept.isEmpty()) {
            // The file was lost or damaged, the data was not: the directory's owner may set another password.
            alone(data, "alter role " + USER + " password '" + password + "'", "setting a new password");
            writePrivately(passwordFile, password);
        }
        return password;
    }

    /** The password in a file; an incomplete file counts as missing. */
    private static Optional<String> kept(Path passwordFile) throws IOException {
        if (!Files.exists(passwordFile)) {
            return Optional.empty();
        }
        return Optional.of(Files.readString(passwordFile, StandardCharsets.ISO_8859_1)
                        .strip())
                .filter(text -> PASSWORD.matcher(text).matches());
    }

    private void create(Path data, String password) throws IOException {
        FileTrees.deleteAll(home, STAGING + "*");
        // A unique name: an initdb that outlived a killed server still cleans up its own directory.
        var staging = home.resolve(STAGING + Ids.random(8));
        var passwordCopy = staging.resolveSibling(staging.getFileName() + ".password");
        FileTrees.directory(staging, "rwx------");
        account.own(staging);
        writePrivately(passwordCopy, password);
        account.own(passwordCopy);
        var created = Command.run(account.command(initdb(staging, passwordCopy)), DEADLINE);
        if (created.output().contains("could not look up effective user ID")) {
            throw new PostgresStartException("the user " + account.user() + " has no entry in /etc/passwd, which"
                    + " PostgreSQL needs to create a database: add one, or start this server as a user that has one");
        }
        check(created, "creating the database directory");
        Files.delete(passwordCopy);
        alone(staging, "create database " + DATABASE, "creating the database");
        if (!options.contains("fsync=off")) {
            var sync = List.of(
                    binaries.program("initdb"), "-D", staging.toString(), "--sync-only", "--sync-method=syncfs");
            check(Command.run(account.command(sync), DEADLINE), "writing the database directory to disk");
        }
        Files.deleteIfExists(data);
        Files.move(staging, data, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * The built-in C.UTF-8 locale knows Unicode's upper and lower case, sorts by code point, and is the same on every
     * machine: an update of the operating system cannot change an index's order.
     *
     * <p>Through the socket, which only the owner can open, the password is sent in clear text: proving it by SCRAM would
     * cost every connection thousands of hashes on an event loop, which slows each start of a cold JVM.
     */
    private List<String> initdb(Path staging, Path passwordCopy) {
        return List.of(
                binaries.program("initdb"),
                "-D",
                staging.toString(),
                "--no-sync",
                "--no-instructions",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--auth-host=scram-sha-256",
                "--auth-local=password",
                "--username=" + USER,
                "--pwfile=" + passwordCopy);
    }

    /** Runs one statement without a server (PostgreSQL's single-user mode). */
    private void alone(Path data, String statement, String purpose) throws IOException {
        var words = new ArrayList<>(
                List.of(binaries.program("postgres"), "--single", "-D", data.toString(), "-c", "io_method=sync"));
        words.addAll(List.of("-c", "exit_on_error=on", "-c", "log_checkpoints=off", "postgres"));
        check(Command.run(account.command(words), statement + "\n", DEADLINE), purpose);
    }

    private static void check(Command command, String purpose) {
        if (!command.succeeded()) {
            throw new PostgresStartException(
                    purpose + " failed with status " + command.status() + ": " + command.output());
        }
    }

    private static void writePrivately(Path file, String text) throws IOException {
        var staging = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(staging);
        Files.createFile(staging, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(staging, text, StandardCharsets.US_ASCII);
        Files.move(staging, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
