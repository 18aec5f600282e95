package io.millrace.sandbox.node.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The watchdog kills the watched processes when its pipe closes, as after a kill of the server. */
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

    @Test
    void watchesOn_afterItWasKilled() throws IOException {
        var others = ProcessHandle.current().children().collect(Collectors.toSet());
        var watchdog = ProcessWatchdog.start();
        var shell = ProcessHandle.current()
                .children()
                .filter(child -> !others.contains(child))
                .findFirst()
                .orElseThrow();
        var before = new ProcessBuilder("sleep", "1000").start();
        var after = new ProcessBuilder("sleep", "1000").start();
        try {
            // given a watchdog that was killed externally
            watchdog.watch(before.pid());
            shell.destroyForcibly();
            Waiting.until("it has ended", () -> !shell.isAlive());

            // when it gets a further process to watch
            Waiting.until("it watches again", () -> {
                watchdog.watch(after.pid());
                return ProcessHandle.current().children().anyMatch(child -> isNew(child, others, before, after));
            });
            watchdog.close();

            // then it still kills the earlier ones
            Waiting.until("what is watched has ended", () -> !before.isAlive() && !after.isAlive());
        } finally {
            before.destroyForcibly();
            after.destroyForcibly();
        }
    }

    private static boolean isNew(ProcessHandle child, Set<ProcessHandle> others, Process... known) {
        return child.isAlive()
                && !others.contains(child)
                && Stream.of(known).noneMatch(process -> process.pid() == child.pid());
    }
}
