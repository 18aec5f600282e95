package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that has lost an event loop serves nobody: its process ends, so that whoever started it starts it again. */
@Slow(Slow.Reason.PROCESS)
final class EventLoopWatchIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(DyingLoop.Death.class)
    void theProcessEnds_whenAnEventLoopDoes(DyingLoop.Death death) throws IOException {
        // given a running server
        try (var directory = DataDirectory.prepared();
                var server = ServerProcess.ofClasses(
                        DyingLoop.class.getName(),
                        List.of(),
                        List.of(),
                        directory.path(),
                        Map.of("AP_LOG_LEVEL", "warn"))) {
            assertThat(server.api(DEADLINE).get("/v1/health").status()).isEqualTo(200);

            // when something dies that it cannot live without
            Files.createFile(directory.path().resolve(death.name()));

            // then it ends, and says so
            assertThat(server.exitStatus(DEADLINE)).as(server.output()).isEqualTo(70);
            assertThat(server.output()).contains("Millrace ends");
        }
    }

    @Test
    void theStartScriptEndsAProcessWithoutMemory() throws IOException {
        assertThat(Files.readString(Path.of("src", "main", "stub", "millrace")))
                .contains("-XX:+ExitOnOutOfMemoryError");
    }
}
