package io.millrace.base.persistence.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The programs of PostgreSQL, unpacked from the class path once. A list with the size of every file is written last and
 * checked at each start, so that a half-written or damaged copy is replaced and never run.
 */
final class PostgresBinaries {
    /** Release of the programs on the class path (see postgres.binaries.version in the build). */
    static final String VERSION = "18.6";

    /** Releases with the same major number read each other's data. */
    static final String MAJOR = VERSION.substring(0, VERSION.indexOf('.'));

    private static final String LIST = "unpacked";
    private static final String PROGRAM_MODE = "rwxr-xr-x";
    private static final String FILE_MODE = "rw-r--r--";
    private static final int ANY_EXECUTE = 0111;

    private final Path directory;

    private PostgresBinaries(Path directory) {
        this.directory = directory;
    }

    /** The programs below a directory that only this process writes to; unpacks them when needed. */
    static PostgresBinaries in(Path parent) throws IOException {
        var target = parent.resolve("bin-" + VERSION);
        if (!isComplete(target)) {
            var staging = parent.resolve("bin-" + VERSION + ".new");
            FileTrees.delete(staging);
            unpack(staging);
            FileTrees.delete(target);
            Files.move(staging, target, StandardCopyOption.ATOMIC_MOVE);
        }
        return new PostgresBinaries(target);
    }

    String program(String name) {
        return directory.resolve("bin").resolve(name).toString();
    }

    private static boolean isComplete(Path target) throws IOException {
        var list = target.resolve(LIST);
        if (!Files.isRegularFile(list)) {
            return false;
        }
        for (var line : Files.readAllLines(list)) {
            var space = line.indexOf(' ');
            if (space < 1 || !isFile(target, line.substring(space + 1), Long.parseLong(line, 0, space, 10))) {
                return false;
            }
        }
        return true;
    }

    /** Each start checks a thousand files, so one system call per file has to do; a missing file has no bytes. */
    private static boolean isFile(Path directory, String name, long bytes) {
        var file = directory.resolve(name).toFile();
        return file.length() == bytes && (bytes > 0 || file.isFile());
    }

    private static void unpack(Path staging) throws IOException {
        FileTrees.directory(staging, PROGRAM_MODE);
        var written = new ArrayList<String>();
        try (var archive = new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(open())))) {
            for (var entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                write(archive, entry, staging, written);
            }
        }
        var list = staging.resolve(LIST);
        Files.write(list, written);
        Files.setPosixFilePermissions(list, PosixFilePermissions.fromString(FILE_MODE));
    }

    private static void write(TarArchiveInputStream archive, TarArchiveEntry entry, Path staging, List<String> written)
            throws IOException {
        var file = staging.resolve(entry.getName()).normalize();
        if (!file.startsWith(staging)) {
            throw new IOException("the archive of PostgreSQL contains a path outside of it: " + entry.getName());
        }
        if (entry.isDirectory()) {
            FileTrees.directory(file, PROGRAM_MODE);
            return;
        }
        if (!Files.isDirectory(file.getParent(), LinkOption.NOFOLLOW_LINKS)) {
            FileTrees.directory(file.getParent(), PROGRAM_MODE);
        }
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(archive, file);
        var isProgram = (entry.getMode() & ANY_EXECUTE) != 0;
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(isProgram ? PROGRAM_MODE : FILE_MODE));
        written.add(Files.size(file) + " " + staging.relativize(file));
    }

    private static InputStream open() {
        var processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        var name = switch (processor) {
            case "amd64", "x86_64" -> "postgres-linux-x86_64.txz";
            case "aarch64", "arm64" -> "postgres-linux-arm_64.txz";
            default -> null;
        };
        var stream = name == null ? null : PostgresBinaries.class.getResourceAsStream("/" + name);
        if (stream == null) {
            throw new PostgresStartException(
                    "this build has no embedded PostgreSQL for " + System.getProperty("os.name") + " on " + processor
                            + ": set AP_POSTGRES_URL or AP_POSTGRES_HOST to an external one");
        }
        return stream;
    }
}
