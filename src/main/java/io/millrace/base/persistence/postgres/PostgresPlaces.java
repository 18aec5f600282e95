package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Directories of the embedded server's sockets and programs, with alternatives to the default location. */
final class PostgresPlaces {
    /** A socket's path has at most 107 bytes; its file is called .s.PGSQL. and a port. */
    private static final int SOCKET_DIRECTORY_BYTES_MAX = 107 - "/.s.PGSQL.65535".length();

    private PostgresPlaces() {}

    /** A directory for the socket that only the account may enter: next to the data, unless the path is too long. */
    static Path sockets(Path home, PostgresAccount account) throws IOException {
        var directory = home.resolve("run");
        if (directory.toString().getBytes(StandardCharsets.UTF_8).length > SOCKET_DIRECTORY_BYTES_MAX) {
            directory = Files.createTempDirectory("millrace-");
        }
        FileTrees.directory(directory, "rwx------");
        account.own(directory);
        return directory;
    }

    /**
     * The directory to unpack the programs in: next to the data, unless a parent directory of the data is closed to the
     * account. A capability opens directories, but does not let another user execute a program below them.
     */
    static Path programs(Path home, PostgresAccount account) throws IOException {
        if (!account.isHelped()) {
            return home;
        }
        var directory = elsewhere(home);
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException kept) {
            // The parent is writable for all users: only a real directory that root owns can be trusted with programs.
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) || FileTrees.owner(directory) != 0) {
                throw new PostgresStartException(
                        "the directory " + directory
                                + " for the programs of PostgreSQL is not owned by root: remove it",
                        kept);
            }
        }
        FileTrees.directory(directory, "rwx--x--x");
        if (!account.unhelped().canReach(directory)) {
            throw new PostgresStartException("PostgreSQL is started as user " + account.user()
                    + ", who can enter neither " + home + " nor " + directory
                    + ": allow access (chmod o+x) to their parent directories, or change AP_DATA_DIR");
        }
        return directory;
    }

    /** Removes a socket directory among the temporary files. */
    static void forgetSockets(Path home, Path sockets) throws IOException {
        if (!sockets.startsWith(home)) {
            FileTrees.delete(sockets);
        }
    }

    /** Another directory for the programs, always the same one for a data directory. */
    static Path elsewhere(Path home) {
        var name = "millrace-" + Integer.toHexString(home.toString().hashCode());
        return Path.of(System.getProperty("java.io.tmpdir")).resolve(name);
    }
}
