package io.millrace.base.backup;

import io.millrace.base.config.Config;
import io.millrace.base.persistence.postgres.FileTrees;
import io.millrace.base.persistence.postgres.LogSpool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;

/**
 * The write-ahead log of an embedded database, kept with its backups, and the base copies that it continues: a folder for
 * each lineage, in which every file under its final name is complete. A segment leaves the spool when it is here on disk; a
 * process that is killed before that leaves it there, and the next process copies it again. Every method blocks.
 */
public final class LogArchive {
    /** A copy of the database, from whose end on any moment can be restored. */
    public record Base(Path file, Instant moment, String segment) {}

    static final Pattern SEGMENT = Pattern.compile("[0-9A-F]{24}");

    private static final String FOLDER = "log-";
    private static final String SUFFIX = ".log";
    private static final String PART = ".part";
    private static final String ENTRY = "segment";
    private static final Pattern BASE = Pattern.compile("base-(\\d{8}T\\d{6}Z)-([0-9A-F]{24})\\.base");

    private final Config config;
    private final Path folder;
    private final Optional<Path> keyFile;
    private final BaseCopy copy;

    public LogArchive(Config config, Path folder, Optional<Path> keyFile, String release, InstantSource clock) {
        this.config = config;
        this.folder = folder;
        this.keyFile = keyFile;
        this.copy = new BaseCopy(config, release, clock);
    }

    /** Removes the partial files of a killed process. Call it before any other method. */
    public void tidy() throws IOException {
        try (var files = Files.newDirectoryStream(lineage(), "*" + PART)) {
            for (var file : files) {
                Files.delete(file);
            }
        }
    }

    /** Copies finished segments to the archive, the oldest first; returns their number. */
    public int carry() throws IOException {
        var spool = LogSpool.directory(config.storage().data().directory());
        var key = keyFile.map(BackupKey::read);
        var carried = 0;
        for (var name : names(spool)) {
            if (!name.endsWith(PART)) {
                carry(spool.resolve(name), lineage().resolve(name + SUFFIX), key);
                carried++;
            }
        }
        return carried;
    }

    private static void carry(Path segment, Path target, Optional<BackupKey> key) throws IOException {
        var aside = DurableFiles.aside(target, PART);
        try {
            try (var archive = BackupFile.writer(Files.newOutputStream(aside), key)) {
                archive.setLevel(Deflater.BEST_SPEED);
                archive.putNextEntry(new ZipEntry(ENTRY));
                Files.copy(segment, archive);
                archive.closeEntry();
            }
            named(aside, target);
            Files.delete(segment);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void named(Path aside, Path target) throws IOException {
        DurableFiles.force(aside);
        Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.force(target.toAbsolutePath().getParent());
    }

    /** Copies the database, and reads the copy through before it counts. */
    public Base takeBase() throws IOException {
        var lineage = lineage();
        var key = keyFile.map(BackupKey::read);
        var aside = DurableFiles.aside(lineage.resolve("base"), PART);
        try {
            var taken = copy.to(aside, key);
            BaseFile.check(aside, key);
            // Names have whole seconds, and must not promise a moment that is too early.
            var moment = taken.usableFrom().plus(Duration.ofSeconds(1)).truncatedTo(ChronoUnit.SECONDS);
            var file = lineage.resolve("base-" + BackupNames.textOf(moment) + "-" + taken.segment() + ".base");
            named(aside, file);
            return new Base(file, moment, taken.segment());
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    public boolean hasBase() throws IOException {
        return !basesIn(lineage()).isEmpty();
    }

    /** Every copy, the oldest first; of earlier lineages too. */
    public List<Base> bases() throws IOException {
        return bases(folder);
    }

    static List<Base> bases(Path folder) throws IOException {
        var bases = new ArrayList<Base>();
        try (var lineages = Files.newDirectoryStream(folder, FOLDER + "*")) {
            for (var lineage : lineages) {
                bases.addAll(basesIn(lineage));
            }
        }
        bases.sort(Comparator.comparing(Base::moment));
        return bases;
    }

    private static List<Base> basesIn(Path lineage) throws IOException {
        var bases = new ArrayList<Base>();
        for (var name : names(lineage)) {
            var matcher = BASE.matcher(name);
            if (matcher.matches()) {
                bases.add(
                        new Base(lineage.resolve(name), BackupNames.momentOfText(matcher.group(1)), matcher.group(2)));
            }
        }
        return bases;
    }

    /** Deletes base copies, and the part of the log that no remaining copy needs. */
    public void drop(List<Base> surplus) throws IOException {
        for (var base : surplus) {
            Files.deleteIfExists(base.file());
        }
        var own = lineage();
        try (var lineages = Files.newDirectoryStream(folder, FOLDER + "*")) {
            for (var lineage : lineages) {
                var needed = basesIn(lineage).stream().map(Base::segment).min(Comparator.naturalOrder());
                if (needed.isPresent()) {
                    dropBefore(lineage, needed.get());
                } else if (!lineage.equals(own)) {
                    FileTrees.delete(lineage);
                }
            }
        }
    }

    private static void dropBefore(Path lineage, String segment) throws IOException {
        for (var name : names(lineage)) {
            var isSegment = name.endsWith(SUFFIX) && SEGMENT.matcher(name).lookingAt();
            if (isSegment && name.compareTo(segment) < 0) {
                Files.delete(lineage.resolve(name));
            }
        }
    }

    /** Archived segments in order, from the first one of a base copy up to the first gap. */
    static List<Path> segmentsFrom(Base base) throws IOException {
        var segments = new ArrayList<Path>();
        var lineage = base.file().toAbsolutePath().getParent();
        var next = base.segment();
        while (Files.exists(lineage.resolve(next + SUFFIX))) {
            segments.add(lineage.resolve(next + SUFFIX));
            next = after(next);
        }
        return segments;
    }

    /** Returns true if anything was kept after the last of the segments, which then is followed by a gap. */
    static boolean hasMoreThan(List<Path> segments, Base base) throws IOException {
        var last = segments.isEmpty() ? base.segment() : segmentOf(segments.getLast());
        return names(base.file().toAbsolutePath().getParent()).stream()
                .filter(name -> name.endsWith(SUFFIX) && SEGMENT.matcher(name).lookingAt())
                .anyMatch(name -> name.substring(0, last.length()).compareTo(last) > 0);
    }

    static String segmentOf(Path file) {
        var name = file.getFileName().toString();
        return name.substring(0, name.length() - SUFFIX.length());
    }

    /** Name of the next segment: timeline, and two numbers; the second counts up to 255. */
    static String after(String segment) {
        var number = Long.parseLong(segment.substring(8, 16), 16) * 256 + Long.parseLong(segment.substring(16), 16) + 1;
        return segment.substring(0, 8) + "%08X%08X".formatted(number / 256, number % 256);
    }

    private Path lineage() throws IOException {
        var name = LogSpool.lineage(config.storage().data().directory())
                .orElseThrow(() -> new BackupException(
                        "the database does not archive its log: start the server with AP_BACKUP_WAL=true"));
        var lineage = folder.resolve(FOLDER + name);
        Files.createDirectories(lineage, DurableFiles.OWNER_ONLY_FOLDER);
        return lineage;
    }

    private static List<String> names(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }
}
