package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The end of the pipe ends what is watched: that is what a killed server leaves behind. */
class ProcessWatchdogTest {
    @Test
    void endsWhatItWatches_andNothingElse() throws IOException {
        var watchdog = ProcessWatchdog.start();
        var busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        var next = new ProcessBuilder("sleep", "1000").start();
        var forgotten = new ProcessBuilder("sleep", "1000").start();
        try {
            watchdog.watch(busy.pid());
            watchdog.watch(forgotten.pid());
            watchdog.watch(next.pid());
            watchdog.forget(forgotten.pid());

            watchdog.close();

            Waiting.until("what is watched has ended", () -> !busy.isAlive() && !next.isAlive());
            assertThat(forgotten.isAlive()).isTrue();
        } finally {
            busy.destroyForcibly();
            next.destroyForcibly();
            forgotten.destroyForcibly();
        }
    }
}
