package io.millrace.sandbox.node.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.node.call.NodeBinary.Search;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selection of the Node.js binary, and the message when there is none. */
class NodeBinaryTest {
    @TempDir
    Path folder;

    @Test
    void saysSo_whenThereIsNone() {
        var search = NodeBinary.find(Optional.empty(), folder.toString());

        assertThat(((Search.Absent) search).reason()).contains("not found").contains("20");
        assertThat(NodeBinary.isThere(Optional.empty(), folder.toString())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "v20.1.0, --experimental-permission",
        "v22.12.0, --experimental-permission",
        "v22.13.1, --permission",
        "v24.0.0, --permission"
    })
    void takesReleasesFromTwentyOn(String version, String option) throws IOException {
        var search = NodeBinary.find(
                Optional.empty(), fake("echo " + version).getParent().toString());

        assertThat(((Search.Match) search).binary().permissionOption()).isEqualTo(option);
    }

    @ParameterizedTest
    @CsvSource({"echo v18.20.0, v18.20.0", "echo hello, version", "exit 1, version"})
    void refusesOthers(String script, String reason) throws IOException {
        var search = NodeBinary.find(Optional.of(fake(script)), "");

        assertThat(((Search.Absent) search).reason()).contains(reason);
    }

    private Path fake(String script) throws IOException {
        var file = Files.writeString(folder.resolve("node"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
