package io.millrace.base.persistence.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The migration files of this release, oldest first, as listed in the resource {@code index} of their directory: one name a
 * line. Resources of a jar cannot be listed cheaply; a test compares the index with the files.
 *
 * @param files their names
 */
public record MigrationIndex(List<String> files) {
    private static final String COMMENT = "--";
    private static final Pattern FILE = Pattern.compile("V([0-9]{4})__[a-z0-9_]+\\.sql");

    public record MigrationEntry(String version, String purpose) {}

    public MigrationIndex {
        files = List.copyOf(files);
    }

    public static MigrationIndex read(String location) {
        var name = "/" + location + "/index";
        try (var stream = MigrationIndex.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("expected a resource " + name + ", found none");
            }
            var lines = new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines();
            var index = new MigrationIndex(lines.map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .sorted()
                    .toList());
            index.versions();
            return index;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Numbers in the files' names, as Flyway records them. */
    public List<String> versions() {
        return files.stream().map(MigrationIndex::version).toList();
    }

    public static List<MigrationEntry> pending(Collection<String> applied) {
        return read("db").files().stream()
                .filter(file -> !applied.contains(version(file)))
                .map(file -> new MigrationEntry(version(file), purposeOf("/db/" + file)))
                .toList();
    }

    /** The comment that a file begins with. */
    private static String purposeOf(String name) {
        try (var stream = MigrationIndex.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("expected a resource " + name + ", found none");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .takeWhile(line -> line.startsWith(COMMENT))
                    .map(line -> line.substring(COMMENT.length()).strip())
                    .collect(Collectors.joining(" "));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String version(String line) {
        var matcher = FILE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalStateException("expected a migration named V0001__words.sql, found " + line);
        }
        return matcher.group(1);
    }
}
