package io.millrace.base.persistence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The migration files of this release, oldest first, as the resource {@code index} beside them lists them: one name a
 * line. Resources of a jar cannot be listed cheaply; a test holds the index against the files.
 *
 * @param versions numbers in the files' names, as Flyway records them
 */
public record MigrationIndex(List<String> versions) {
    private static final Pattern FILE = Pattern.compile("V([0-9]{4})__[a-z0-9_]+\\.sql");

    /** Reads the index of a resource directory. */
    public static MigrationIndex read(String location) {
        var name = "/" + location + "/index";
        try (var stream = MigrationIndex.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("expected a resource " + name + ", found none");
            }
            var lines = new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines();
            return new MigrationIndex(lines.map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .map(MigrationIndex::version)
                    .sorted()
                    .toList());
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
