package io.millrace.engine.run.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sends every event to a row in every status, and compares the result with the table in {@code run-machine.md}. */
class RunRowTest {
    private static final Path DOCUMENT = Path.of("src/site/markdown/run-machine.md");

    @Test
    void isTheTableOfTheDocument() throws IOException {
        var documented = Files.readString(DOCUMENT)
                .lines()
                .dropWhile(line -> !line.startsWith("| Row event |"))
                .takeWhile(line -> !line.isBlank())
                .collect(Collectors.joining("\n", "", "\n"));

        assertThat(documented).isEqualTo(table());
    }

    @Test
    void leavesEveryEndAsItIs_butForARetry() {
        for (var end : EndStatus.values()) {
            for (var event : RowEvent.Closing.values()) {
                assertThat(RunRow.on(end, event)).as("%s, %s", end, event).isEmpty();
            }
        }
        assertThat(RunRow.on(EndStatus.SUCCEEDED, RowEvent.Queueing.RETRIED)).isEmpty();
        assertThat(RunRow.on(EndStatus.CANCELED, RowEvent.Queueing.RETRIED)).contains(LiveStatus.QUEUED);
    }

    private static List<RowStatus> rows() {
        var all = new ArrayList<RowStatus>();
        all.add(null);
        all.addAll(List.of(LiveStatus.values()));
        all.addAll(List.of(EndStatus.values()));
        return all;
    }

    private static String table() {
        var text = new StringBuilder("| Row event | no row");
        rows().stream().skip(1).forEach(row -> text.append(" | ").append(row));
        text.append(" |\n").append("|---".repeat(rows().size() + 1)).append("|\n");
        Stream.<RowEvent>concat(Arrays.stream(RowEvent.Queueing.values()), Arrays.stream(RowEvent.Closing.values()))
                .forEach(event -> {
                    text.append("| ").append(event);
                    rows().forEach(row -> text.append(" | ")
                            .append(next(row, event).map(Object::toString).orElse("–")));
                    text.append(" |\n");
                });
        return text.toString();
    }

    private static Optional<? extends RowStatus> next(RowStatus row, RowEvent event) {
        return switch (event) {
            case RowEvent.Queueing queueing -> RunRow.on(row, queueing);
            case RowEvent.Closing closing -> RunRow.on(row, closing);
        };
    }
}
