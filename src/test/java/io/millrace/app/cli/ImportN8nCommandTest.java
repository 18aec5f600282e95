package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that imports n8n workflows, without a server. ImportRoutesIT sends them to one. */
final class ImportN8nCommandTest {
    private static final String FOLDER = "src/test/resources/n8n";

    @TempDir
    private Path temporary;

    @Test
    void reportsAFile_withOrWithoutTheNameOfTheOption() {
        var named = CommandRun.of(Map.of(), "import", "n8n", "--from", FOLDER + "/64-unknown-types.json");
        var unnamed = CommandRun.of(Map.of(), "import", "n8n", FOLDER + "/64-unknown-types.json");

        assertThat(named.status()).isEqualTo(ExitStatus.OK);
        assertThat(named.out())
                .contains("! by hand Acme (n8n-nodes-acme.acme)", "has no equivalent", "1 flows; nodes: 0 exact");
        assertThat(unnamed).isEqualTo(named);
    }

    @Test
    void reportsAFolderAsJson() throws IOException {
        var run = CommandRun.of(Map.of(), "import", "n8n", FOLDER, "--json");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        var json = Json.parse(run.out());
        assertThat(json.path("flows").size()).isGreaterThan(70);
        assertThat(json.at("/flows/0/report/entries/0/result").asText()).isEqualTo("near");
    }

    @Test
    void namesFilesThatCannotBeRead_andReportsTheOthers() throws IOException {
        Files.writeString(temporary.resolve("a.json"), "{");
        Files.writeString(temporary.resolve("b.json"), "[{\"name\":\"B\",\"nodes\":[]},3]");

        var run = CommandRun.of(Map.of(), "import", "n8n", temporary.toString());

        assertThat(run.status()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(run.err()).contains("a.json: expected JSON");
    }

    @Test
    void refusesAMissingFile_andASecondOne() {
        assertThat(CommandRun.of(Map.of(), "import", "n8n", temporary + "/none").status())
                .isEqualTo(ExitStatus.DATA);
        assertThat(CommandRun.of(Map.of(), "import", "n8n").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(CommandRun.of(Map.of(), "import", "n8n", "a", "b").status()).isEqualTo(ExitStatus.USAGE);
    }
}
