package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Test classes that drive a browser or start a server as a process are in the slow lane. */
final class LanesTest {
    private static final Path TESTS = Path.of("src/test/java");

    private static final Pattern TEST_CLASS = Pattern.compile("\\w+(IT|Test)\\.java");

    private static final Pattern IN_THE_SLOW_LANE = Pattern.compile("(?m)^@Slow\\(Slow\\.Reason\\.[A-Z]+\\)$");

    private static final Pattern STARTS_A_PROCESS = Pattern.compile("ServerProcess\\s*\\.\\s*(ofClasses|start)\\(");

    @Test
    void slowTestsAreInTheSlowLane() throws IOException {
        try (var files = Files.walk(TESTS)) {
            assertThat(files.filter(LanesTest::isTestClass)
                            .filter(LanesTest::isSlow)
                            .filter(file ->
                                    !IN_THE_SLOW_LANE.matcher(text(file)).find()))
                    .as("test classes without @Slow")
                    .isEmpty();
        }
    }

    @Test
    void aLargePartOfTheTestsIsInTheFastLane() throws IOException {
        try (var files = Files.walk(TESTS)) {
            List<Path> all = files.filter(LanesTest::isTestClass).toList();

            assertThat(all).hasSizeGreaterThan(500);
            assertThat(all.stream()
                            .filter(file -> IN_THE_SLOW_LANE.matcher(text(file)).find()))
                    .hasSizeLessThan(all.size() / 4);
        }
    }

    private static boolean isTestClass(Path file) {
        return TEST_CLASS.matcher(file.getFileName().toString()).matches();
    }

    private static boolean isSlow(Path file) {
        return file.getFileName().toString().endsWith("BrowserIT.java")
                || file.startsWith(TESTS.resolve("io/millrace/fault"))
                        && file.toString().endsWith("IT.java")
                || STARTS_A_PROCESS.matcher(text(file)).find();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
