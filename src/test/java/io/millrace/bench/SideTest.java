package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Slow(Slow.Reason.PROCESS)
class SideTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration LONGEST = Duration.ofSeconds(50);
    private static final int CONNECTIONS = 8;

    @Test
    void warmsUpByCalls_andCountsTheTimeOfCompilers() {
        var command = ServerProcess.commandOfClasses(BareServer.class.getName(), List.of(), List.of("{}"));
        try (var directory = DataDirectory.create();
                var server = ServerProcess.start(command, directory.path(), Map.of());
                var load = new LoadGenerator()) {
            var side =
                    new Side("bare server", server, LoadGenerator.Target.post(server.port(DEADLINE), "/", Bench.ORDER));

            var done = side.warmUp(load, CONNECTIONS, 800, LONGEST);

            assertThat(done.calls()).isEqualTo(800);
            assertThat(done.last().figures().answered()).isEqualTo(80);
            assertThat(ProcessorTime.of(server).compilers()).isPositive();
            assertThat(ProcessorTime.of(server).perCall(800)).contains("compilers");
        }
    }
}
