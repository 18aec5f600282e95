package io.millrace.sandbox.node.watch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.hostile.HostileKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Limits of a process that runs once. */
@EnabledOnOs(OS.LINUX)
@HostileKind("package registry")
final class ResourceWatchTest {
    private static final Duration TIME = Duration.ofSeconds(60);
    private static final ResourceWatch.Bounds BOUNDS = new ResourceWatch.Bounds(256L << 20, 16L << 20);
    private static final String START = "import ctypes, os, threading, time\n";

    @TempDir
    private Path folder;

    private ResourceWatch watched(String program) throws IOException {
        var process = new ProcessBuilder("python3", "-c", START + program)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            var watch = new ResourceWatch(process, folder, BOUNDS, TIME);
            watch.watch();
            return watch;
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    @Test
    void endsAProcess_whoseThreadsGoOnWithoutTheFirstOne() throws IOException {
        var watch = watched("threading.Thread(target=time.sleep, args=(600,)).start()\n"
                + "ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)");

        assertThatThrownBy(watch::check).hasMessageContaining("main thread");
    }

    @Test
    void endsAProcess_thatTakesMoreMemoryThanItMay() throws IOException {
        var watch = watched("memory = b'x' * (300 << 20)\ntime.sleep(600)");

        assertThatThrownBy(watch::check).hasMessageContaining("256 MB of memory");
    }

    @Test
    void letsAProcessEnd_withItsThreads() throws IOException {
        var watch =
                watched("for n in range(8):\n  threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
                        + "sum(range(10_000_000))");

        assertThatCode(watch::check).doesNotThrowAnyException();
    }
}
