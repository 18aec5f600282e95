package io.millrace.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Runs commands in temporary folders of tests, and removes the folders. */
public final class TestFolder {
    /** Folder of temporary databases; {@code scripts/check} names one in memory. */
    private static final Path DATABASES = Path.of(Optional.ofNullable(System.getProperty("millrace.test.databases"))
            .filter(name -> !name.isBlank())
            .orElseGet(() -> System.getProperty("java.io.tmpdir")));

    private TestFolder() {}

    static Path databases() {
        return DATABASES;
    }

    /** Runs a tool of this host in the folder, and returns its output. */
    public static String run(Path folder, List<String> command) {
        try {
            var process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("expected " + command + " to succeed, found " + output);
            }
            return output.strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Removes the folder with its content, except files that a process still writes. */
    public static void remove(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
