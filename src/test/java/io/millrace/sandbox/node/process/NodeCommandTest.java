package io.millrace.sandbox.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeCommandTest {
    @Test
    void passesOnNoPathOfTheHost() {
        var inherited = Map.of("PATH", "/opt/secret/bin:/home/ada/bin", "TZ", "UTC", "AP_JWT_SECRET", "hush");

        var environment = NodeCommand.environment(inherited, Path.of("/tmp/x"));

        assertThat(environment)
                .containsEntry("PATH", "/usr/local/bin:/usr/bin:/bin")
                .containsEntry("TZ", "UTC")
                .doesNotContainKey("AP_JWT_SECRET");
        assertThat(environment.toString()).doesNotContain("/opt/secret", "/home/ada");
    }
}
