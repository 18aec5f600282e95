package io.millrace.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who yields: a process that works, not one that waits. */
class WorkerPriorityTest {
    private static final int NORMAL = 0;
    private static final int IDLE = 5;

    @Test
    void yieldsWhileACallUsesMuch_andOnlySoLong() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/chrt")), "chrt is not here");
        var busy = new ProcessBuilder("/bin/sh", "-c", "while :; do :; done").start();
        try {
            var priority = new WorkerPriority(busy.toHandle());

            priority.look();
            var before = used(busy);
            Waiting.until(
                    "the process has worked", () -> used(busy).minus(before).toMillis() > 50);
            priority.look();

            assertThat(policy(busy)).isEqualTo(IDLE);
            assertThat(priority.end()).isEqualTo(policy(busy) == NORMAL);
        } finally {
            busy.destroyForcibly();
        }
    }

    @Test
    void keepsThePriorityOfACallThatWaits() throws IOException {
        var waiting = new ProcessBuilder("/bin/sleep", "60").start();
        try {
            var priority = new WorkerPriority(waiting.toHandle());
            priority.look();
            priority.look();

            assertThat(policy(waiting)).isEqualTo(NORMAL);
            assertThat(priority.end()).isTrue();
        } finally {
            waiting.destroyForcibly();
        }
    }

    private static Duration used(Process process) {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** The scheduling policy as the kernel numbers it: the 41st field of the process's state. */
    private static int policy(Process process) {
        try {
            var state = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return Integer.parseInt(state.substring(state.lastIndexOf(')') + 2).split(" ")[38]);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
