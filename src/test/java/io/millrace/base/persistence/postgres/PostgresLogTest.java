package io.millrace.base.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresLogTest {
    @TempDir
    private Path directory;

    @Test
    void staysWithinTwoFiles_howeverMuchIsWritten() throws IOException {
        var log = new PostgresLog(directory.resolve("postgres.log"));

        for (var number = 0; number < 5_000; number++) {
            log.append("x".repeat(999));
        }
        log.close();

        try (var files = Files.list(directory)) {
            assertThat(files.toList())
                    .hasSize(2)
                    .allSatisfy(file -> assertThat(Files.size(file)).isLessThan(1_100_000));
        }
    }

    @Test
    void keepsTheLastLines_untilAnotherAttempt() throws IOException {
        var log = new PostgresLog(directory.resolve("postgres.log"));

        for (var number = 0; number < 100; number++) {
            log.append("line " + number);
        }
        log.close();

        assertThat(log.recent()).endsWith("line 98\nline 99").doesNotContain("line 80\n");
        log.startAnew();
        assertThat(log.recent()).isEmpty();
        assertThat(directory.resolve("postgres.log")).content().startsWith("line 0\nline 1\n");
    }
}
