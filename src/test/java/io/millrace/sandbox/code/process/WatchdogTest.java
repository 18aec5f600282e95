package io.millrace.sandbox.code.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.isolation.ProcessPriority;
import io.millrace.support.ServerProcess;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An unresponsive process and its child processes end with the server that started it. */
class WatchdogTest {
    @TempDir
    private Path directory;

    @Test
    void endsTheProcessAndItsChildren_whenTheServerIsKilled() throws IOException {
        // given a server with a process and its child process
        var server = new ProcessBuilder(
                        ServerProcess.java(), "-cp", System.getProperty("java.class.path"), Owner.class.getName())
                .redirectError(directory.resolve("said").toFile())
                .start();
        var processes = new ArrayList<ProcessHandle>();
        try (var lines = server.inputReader()) {
            for (var number : lines.readLine().split(" ", -1)) {
                processes.add(ProcessHandle.of(Long.parseLong(number)).orElseThrow());
            }

            // when the server is killed
            server.destroyForcibly();

            // then both end
            Waiting.until("both have ended", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(processes).hasSize(2);
        } finally {
            server.destroyForcibly();
            processes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Simulates a server: prints the ids of the two processes and waits to be killed. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            var command = new ArrayList<>(ProcessPriority.prefix());
            command.addAll(List.of("sh", "-c", "sleep 300 & echo $! && wait"));
            var process = new ProcessBuilder(command).start();
            try (var lines = process.inputReader();
                    var _ = Watchdog.over(process.toHandle())) {
                System.out.println(process.pid() + " " + lines.readLine());
                process.waitFor();
            }
        }
    }
}
