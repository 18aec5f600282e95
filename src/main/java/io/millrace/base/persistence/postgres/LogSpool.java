package io.millrace.base.persistence.postgres;

import io.millrace.base.core.Ids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Spool of finished segments of the write-ahead log of an embedded PostgreSQL, one file each, until they are archived. A
 * segment gets its final name when it is complete and on disk; PostgreSQL recycles it only then. The lineage is a name for
 * all segments that follow each other without a gap: it ends when archiving is switched off, and a restored database begins a
 * new one.
 */
public final class LogSpool {
    /** Longest time that a change waits for its segment to be finished. */
    private static final int TIMEOUT_SECONDS = 60;

    private static final String SPOOL = "millrace_spool";
    private static final String LINEAGE = "log-lineage";
    private static final int LINEAGE_CHARACTERS = 12;

    /**
     * Runs in the directory of the database. The order of the two renames, this one and that of PostgreSQL's own note, is kept
     * by the file system that both are in.
     */
    private static final String COMMAND = "dd if=%p of=" + SPOOL + "/%f.part bs=1M conv=fsync 2>/dev/null && mv -f "
            + SPOOL + "/%f.part " + SPOOL + "/%f";

    private LogSpool() {}

    /** Prepares the spool, and returns the options by which PostgreSQL fills it. */
    static List<String> opened(Path home, PostgresAccount account) throws IOException {
        var spool = PostgresCluster.directory(home).resolve(SPOOL);
        FileTrees.directory(spool, "rwx------");
        account.own(spool);
        var lineage = home.resolve(LINEAGE);
        if (!Files.exists(lineage)) {
            var fresh = lineage.resolveSibling(LINEAGE + ".new");
            Files.writeString(fresh, Ids.random(LINEAGE_CHARACTERS), StandardCharsets.US_ASCII);
            Files.move(fresh, lineage);
        }
        return List.of(
                "wal_level=replica",
                "archive_mode=on",
                "archive_command=" + COMMAND,
                "archive_timeout=" + TIMEOUT_SECONDS);
    }

    /** From here on there is a gap. */
    static void close(Path home) throws IOException {
        Files.deleteIfExists(home.resolve(LINEAGE));
        FileTrees.delete(PostgresCluster.directory(home).resolve(SPOOL));
    }

    public static Path directory(Path dataDirectory) {
        return EmbeddedPostgres.directoryIn(dataDirectory).resolve(SPOOL);
    }

    /** Name of the current lineage; empty where no log is kept. */
    public static Optional<String> lineage(Path dataDirectory) throws IOException {
        var file = dataDirectory.resolve(EmbeddedPostgres.HOME).resolve(LINEAGE);
        return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    }
}
