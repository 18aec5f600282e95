package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fault injection exists only in tests: shipped code has no option for it. */
final class NoFaultsTest {
    private static final Path MAIN = Path.of("src", "main", "java");
    private static final List<String> WORDS =
            List.of("Faults", "millrace.fault", "acknowledge-early", "acknowledgesEarly", "no-fsync", "NO_FSYNC");

    @Test
    void productionNamesNoFault() throws IOException {
        try (var files = Files.walk(MAIN)) {
            var sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();

            assertThat(sources).hasSizeGreaterThan(1_000);
            assertThat(sources).allSatisfy(file -> assertThat(text(file)).doesNotContain(WORDS));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
