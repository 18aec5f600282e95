package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.metrics.ServerMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of metrics lists exactly the metrics of the server. */
final class MetricsPageTest {
    private static final Path PAGE = Path.of("src", "site", "markdown", "metrics.md");

    @Test
    void listsEveryMeter() throws IOException {
        var rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| `(?:millrace|cache)_.*"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Stream.of(ServerMeter.values())
                        .map(MetricsPageTest::row)
                        .toList());
    }

    private static String row(ServerMeter meter) {
        return "| `" + meter.publicName() + "` | " + meter.kind().word() + " | " + String.join(", ", meter.labels())
                + " | " + meter.meaning() + " |";
    }
}
