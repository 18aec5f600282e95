package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page for operators agrees with the code. */
final class CommandLinePageTest {
    private static final Path PAGE = Path.of("src", "site", "markdown", "command-line.md");

    @Test
    void pageListsEveryCommand() throws IOException {
        assertThat(rows("## Commands"))
                .containsExactlyElementsOf(new CommandLine()
                        .commands().stream()
                                .map(command -> "| `" + command.name() + "` | " + command.summary() + " |")
                                .toList());
    }

    @Test
    void pageListsEveryOption() throws IOException {
        assertThat(rows("## Options"))
                .containsExactlyElementsOf(new CommandLine()
                        .commands().stream()
                                .flatMap(command -> command.options().stream()
                                        .map(option -> "| `" + command.name() + "` | `" + option.shown() + "` | "
                                                + option.meaning() + " |"))
                                .toList());
    }

    @Test
    void pageListsEveryExitStatus() throws IOException {
        assertThat(rows("## Exit statuses"))
                .containsExactlyElementsOf(Stream.of(ExitStatus.values())
                        .map(status -> "| " + status.number() + " | " + status.meaning() + " |")
                        .toList());
    }

    /** Rows of the first table after a heading, without its header. */
    private static List<String> rows(String heading) throws IOException {
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals(heading))
                .dropWhile(line -> !line.startsWith("| ---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }
}
