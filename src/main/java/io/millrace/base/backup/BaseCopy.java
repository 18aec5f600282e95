package io.millrace.base.backup;

import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A copy of the directory of a running embedded database. Its files are from different moments; replay of the write-ahead log
 * from the first segment makes them consistent at any moment after the end of the copying. The copy cannot be used without
 * the log.
 */
final class BaseCopy {
    static final String DATA = "data/";
    static final String OWN = "own/";
    static final String CONTENTS = "base.json";
    static final String FORMAT = "millrace-base-1";

    /** Own files outside the database directory that the database cannot be used without. */
    static final List<String> OWN_FILES = List.of("postgres/password", BackupFile.SECRETS);

    /** The last part. */
    static final String LABEL = "backup_label";

    private static final String CONTROL = "global/pg_control";

    /** Directories whose content PostgreSQL recreates; the write-ahead log is archived separately. */
    private static final Set<String> EMPTIED = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans");

    private static final Set<String> LEFT_OUT =
            Set.of("postmaster.pid", "postmaster.opts", "backup_label", "backup_label.old", "tablespace_map");

    private final Config config;
    private final String release;
    private final InstantSource clock;

    BaseCopy(Config config, String release, InstantSource clock) {
        this.config = config;
        this.release = release;
        this.clock = clock;
    }

    /** Result of a copy: the first segment of the log that it needs, and the earliest moment that can be restored. */
    record CopyResult(String segment, Instant usableFrom) {}

    /** Copies into an existing file that is not in use yet. Blocks. */
    CopyResult to(Path file, Optional<BackupKey> key) throws IOException {
        try (var store = BaseCopyStore.open(
                EmbeddedPostgres.running(config.storage().data().directory()))) {
            var segment = store.begin();
            try (var archive = BackupFile.writer(Files.newOutputStream(file), key)) {
                write(archive, segment, store);
            }
            return new CopyResult(segment, store.now());
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception ofDatabase) {
            throw new BackupException("the database cannot be copied: " + ofDatabase.getMessage(), ofDatabase);
        }
    }

    /**
     * Writes the note of what is consistent as the last file, and the label after it, since only the end of the copying knows
     * the label.
     */
    private void write(ZipOutputStream archive, String segment, BaseCopyStore store) throws Exception {
        var directory = config.storage().data().directory();
        var data = EmbeddedPostgres.directoryIn(directory);
        // Less compression copies sooner, and shortens the log that must be kept with the copy.
        archive.setLevel(Deflater.BEST_SPEED);
        contents(archive, segment);
        for (var name : OWN_FILES) {
            if (Files.exists(directory.resolve(name))) {
                put(archive, OWN + name, directory.resolve(name));
            }
        }
        Files.walkFileTree(data, new Copying(data, archive));
        put(archive, DATA + CONTROL, data.resolve(CONTROL));
        part(archive, DATA + LABEL, store.end().getBytes(StandardCharsets.UTF_8));
    }

    private void contents(ZipOutputStream archive, String segment) throws IOException {
        var json = Json.object()
                .put("format", FORMAT)
                .put("release", release)
                .put("begun", clock.instant().toString())
                .put("segment", segment);
        part(archive, CONTENTS, Json.bytes(json));
    }

    private static void part(ZipOutputStream archive, String name, byte[] bytes) throws IOException {
        archive.putNextEntry(new ZipEntry(name));
        archive.write(bytes);
        archive.closeEntry();
    }

    /** A file may be deleted before it is opened: the write-ahead log then records the deletion. */
    private static void put(ZipOutputStream archive, String name, Path file) throws IOException {
        try (var input = Files.newInputStream(file)) {
            archive.putNextEntry(new ZipEntry(name));
            input.transferTo(archive);
            archive.closeEntry();
        } catch (NoSuchFileException gone) {
            // Only a file that could be opened gets an entry.
        }
    }

    private static final class Copying extends SimpleFileVisitor<Path> {
        private final Path root;
        private final ZipOutputStream archive;

        Copying(Path root, ZipOutputStream archive) {
            this.root = root;
            this.archive = archive;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            var name = root.relativize(directory).toString();
            if (name.startsWith("millrace_") || isTemporary(directory)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (!name.isEmpty()) {
                archive.putNextEntry(new ZipEntry(DATA + name + "/"));
                archive.closeEntry();
            }
            return EMPTIED.contains(name) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            var name = root.relativize(file).toString();
            if (!LEFT_OUT.contains(name)
                    && !name.equals(CONTROL)
                    && !isTemporary(file)
                    && !file.getFileName().toString().startsWith("pg_internal.init")) {
                put(archive, DATA + name, file);
            }
            return FileVisitResult.CONTINUE;
        }

        private static boolean isTemporary(Path file) {
            return file.getFileName().toString().startsWith("pgsql_tmp");
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }
}
