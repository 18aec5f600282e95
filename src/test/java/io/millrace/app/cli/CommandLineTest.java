package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Server;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.support.CommandRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing of the command line, and messages about invalid words. */
final class CommandLineTest {
    @Test
    void serverIsStarted_byNoWordOrRun() {
        assertThat(CommandLine.startsServer(List.of())).isTrue();
        assertThat(CommandLine.startsServer(List.of("run"))).isTrue();
        assertThat(CommandLine.startsServer(List.of("run", "--help"))).isFalse();
        assertThat(CommandLine.startsServer(List.of("version"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"help", "--help"})
    void helpNamesEveryCommand(String word) {
        var run = CommandRun.of(Map.of(), word);

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains(names());
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyCommandPrintsItsOptions(String name) {
        var words = name.split(" ");
        var before = new String[words.length + 1];
        var behind = new String[words.length + 1];
        System.arraycopy(words, 0, before, 1, words.length);
        System.arraycopy(words, 0, behind, 0, words.length);
        before[0] = "help";
        behind[words.length] = "--help";

        var told = CommandRun.of(Map.of(), before);

        assertThat(told.status()).isEqualTo(ExitStatus.OK);
        assertThat(told.out())
                .startsWith("Usage: millrace " + name + " [OPTIONS]\n")
                .contains("--help");
        assertThat(CommandRun.of(Map.of(), behind)).isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rum                            | expected a command, found rum
            config                         | expected a command, found config
            config  chek                   | expected a command, found config chek
            help frobnicate                | expected a command, found frobnicate
            run --port=1                   | run has no option or argument --port
            run --json                     | run has no option or argument --json
            version now                    | version has no option or argument now
            version --json --json          | --json: expected once, found more than once
            version --json=yes             | --json: expected no value, found one
            """)
    void unknownWordsAreRefused(String line, String message) {
        var run = CommandRun.of(Map.of(), line.strip().split(" +"));

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo(message + "\nmillrace --help lists the commands.\n");
    }

    @Test
    void versionNamesReleases_forPeopleAndPrograms() {
        assertThat(CommandRun.of(Map.of(), "version").out()).startsWith("Millrace " + Server.VERSION + "\n");

        var json = CommandRun.of(Map.of(), "version", "--json").json();

        assertThat(json.get("version").textValue()).isEqualTo(Server.VERSION);
        assertThat(json.get("schema").textValue()).matches("\\d{4}");
        assertThat(json.get("embeddedPostgres").textValue()).matches("\\d+\\.\\d+");
    }

    private static List<String> names() {
        return new CommandLine().commands().stream().map(Subcommand::name).toList();
    }
}
