package io.millrace.sandbox.node.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JavaScript of the host: unpacked completely, and tested by the test runner of Node.js. */
class HostScriptTest {
    private static final Path TESTS =
            Path.of("src/test/resources/node/host.test.js").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void passesItsOwnTests() throws IOException, InterruptedException {
        assumeTrue(
                NodeBinary.find(Optional.empty(), System.getenv("PATH")) instanceof NodeBinary.Search.Match,
                "Node.js 20 or newer is not on the PATH");
        HostScript.unpack(folder);
        var builder = new ProcessBuilder("node", "--test", TESTS.toString()).redirectErrorStream(true);
        builder.environment().put("HOST_FOLDER", folder.toString());

        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
    }

    @Test
    void repairsWhatWasChanged() throws IOException {
        HostScript.unpack(folder);
        var main = folder.resolve(HostScript.MAIN);
        var before = Files.readString(main);
        Files.writeString(main, "changed");

        HostScript.unpack(folder);

        assertThat(Files.readString(main)).isEqualTo(before);
    }
}
