package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Priority reduction of processes that use the processor; waiting processes keep their priority. */
class ProcessPriorityTest {
    private static final int NORMAL = 0;
    private static final int BATCH = 3;
    private static final int IDLE = 5;

    /** Result on a kernel without autogroups. */
    private static final int ABSENT = -1;

    @Test
    void yieldsWhileACallUsesMuch_andOnlySoLong() throws IOException {
        assumeTrue("Linux".equals(System.getProperty("os.name")), "priorities are changed on Linux only");
        var command = new ArrayList<>(ProcessPriority.prefix());
        command.addAll(List.of("/bin/sh", "-c", "while :; do :; done"));
        var busy = new ProcessBuilder(command).start();
        try {
            var priority = new ProcessPriority(busy.toHandle(), 1);

            priority.look();
            var before = used(busy);
            awaitWork(busy, before, Duration.ofMillis(120));
            priority.look();

            assertThat(policy(busy)).isIn(BATCH, IDLE);
            assertThat(sessionWeight(busy)).isIn(10, 19, ABSENT);

            awaitWork(busy, before, Duration.ofMillis(1_050));
            priority.look();

            assertThat(policy(busy)).isEqualTo(IDLE);
            assertThat(sessionWeight(busy)).isIn(19, ABSENT);
            assertThat(priority.end()).isEqualTo(policy(busy) == NORMAL);
            assertThat(sessionWeight(busy)).isIn(0, ABSENT);
        } finally {
            busy.destroyForcibly();
        }
    }

    @Test
    void leavesAProcessor_whileItStarts_untilACallHasEndedWell() throws IOException {
        var all = severalProcessors();
        var process = new ProcessBuilder("sleep", "600").start();
        try {
            var priority = new ProcessPriority(process.toHandle(), 1);

            priority.starting();
            assertThat(processors(process)).isEqualTo(ProcessPriority.without(all, 1));

            priority.endedWell("a call");
            assertThat(processors(process)).isEqualTo(all);

            // A start that is reported late is over.
            priority.starting();
            assertThat(processors(process)).isEqualTo(all);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void leavesAProcessor_fromItsFirstMoment_andTheThreadThatStartsItDoesNot() throws IOException {
        var all = severalProcessors();
        var apart = ProcessPriority.start(new ProcessBuilder("sleep", "600"), 1);
        var after = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(processors(apart)).isEqualTo(ProcessPriority.without(all, 1));
            assertThat(processors(after)).isEqualTo(all);

            // A released process may use all processors again, regardless of its start.
            var priority = new ProcessPriority(apart.toHandle(), 1);
            priority.starting();
            priority.started();
            assertThat(processors(apart)).isEqualTo(all);
        } finally {
            apart.destroyForcibly();
            after.destroyForcibly();
        }
    }

    @Test
    void leavesAProcessor_whenACallUsesMoreThanALittle_untilAnotherHasEndedWell() throws IOException {
        var all = severalProcessors();
        var busy = new ProcessBuilder("/bin/sh", "-c", "while :; do :; done").start();
        try {
            var priority = new ProcessPriority(busy.toHandle(), 1);

            priority.lookAt("busy");
            assertThat(processors(busy)).isEqualTo(all);

            awaitWork(busy, used(busy), Duration.ofMillis(50));
            priority.lookAt("busy");
            priority.endedWell("busy");
            assertThat(processors(busy)).isEqualTo(ProcessPriority.without(all, 1));

            priority.endedWell("short");
            assertThat(processors(busy)).isEqualTo(all);
        } finally {
            busy.destroyForcibly();
        }
    }

    @Test
    void leavesAProcessor_inTheCallsOfACallerWhoseCallsWereLong_andInNoOthers() throws IOException {
        var all = severalProcessors();
        var process = new ProcessBuilder("sleep", "600").start();
        try {
            var priority = new ProcessPriority(process.toHandle(), 1);

            priority.begin(true);
            assertThat(processors(process)).isEqualTo(ProcessPriority.without(all, 1));

            priority.end();
            priority.begin(false);
            assertThat(processors(process)).isEqualTo(all);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void leavesNone_whereNoneIsToBeLeft() throws IOException {
        var all = severalProcessors();
        var process = new ProcessBuilder("sleep", "600").start();
        try {
            new ProcessPriority(process.toHandle(), 0).starting();

            assertThat(processors(process)).isEqualTo(all);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void keepsOneProcessor_howeverManyAreToBeLeft() {
        var three = Scheduler.processors("2,4-5");

        assertThat(ProcessPriority.without(three, 0)).isEqualTo(three);
        assertThat(ProcessPriority.without(three, 1)).isEqualTo(Scheduler.processors("4-5"));
        assertThat(ProcessPriority.without(three, 2)).isEqualTo(Scheduler.processors("5"));
        assertThat(ProcessPriority.without(three, 3)).isEqualTo(Scheduler.processors("5"));
        assertThat(ProcessPriority.without(Scheduler.processors("7"), 1)).isEqualTo(Scheduler.processors("7"));
        assertThat(ProcessPriority.without(new BitSet(), 1)).isEqualTo(new BitSet());
    }

    /** Processors of this host; the test is skipped on a single processor. */
    private static BitSet severalProcessors() throws IOException {
        assumeTrue("Linux".equals(System.getProperty("os.name")), "processors are chosen on Linux only");
        var all = Scheduler.ownProcessors();
        assumeTrue(all.cardinality() > 1, "there is one processor only");
        return all;
    }

    private static BitSet processors(Process process) throws IOException {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> Scheduler.processors(
                            line.substring(line.indexOf(':') + 1).strip()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void readsProcessorsAsTheKernelWritesThem() {
        assertThat(Scheduler.processors("0-2,8").stream()).containsExactly(0, 1, 2, 8);
        assertThat(Scheduler.processors("5").stream()).containsExactly(5);
    }

    @Test
    void letsOthersGoFirstAtOnce_whenTheCallersCallsWereLong() throws IOException {
        assumeTrue("Linux".equals(System.getProperty("os.name")), "priorities are changed on Linux only");
        var command = new ArrayList<>(ProcessPriority.prefix());
        command.addAll(List.of("/bin/sh", "-c", "while :; do :; done"));
        var busy = new ProcessBuilder(command).start();
        try {
            var priority = new ProcessPriority(busy.toHandle(), 1);

            priority.begin(true);
            var before = used(busy);

            assertThat(policy(busy)).isEqualTo(BATCH);
            assertThat(priority.isLong()).isFalse();

            awaitWork(busy, before, Duration.ofMillis(350));
            priority.look();

            assertThat(policy(busy)).isEqualTo(IDLE);
            awaitWork(busy, before, Duration.ofMillis(1_050));
            priority.look();
            assertThat(priority.isLong()).isTrue();

            priority.end();
            priority.begin(false);
            assertThat(priority.isLong()).isFalse();
        } finally {
            busy.destroyForcibly();
        }
    }

    @Test
    void keepsThePriorityOfACallThatWaits() throws IOException {
        var waiting = new ProcessBuilder("/bin/sleep", "60").start();
        try {
            var priority = new ProcessPriority(waiting.toHandle(), 1);
            priority.look();
            priority.look();

            assertThat(policy(waiting)).isEqualTo(NORMAL);
            assertThat(priority.end()).isTrue();
        } finally {
            waiting.destroyForcibly();
        }
    }

    @Test
    void startsModestly_andIsRaisedOnceItIsReady() throws IOException {
        assumeTrue("Linux".equals(System.getProperty("os.name")), "priorities are changed on Linux only");
        var command = new ArrayList<>(ProcessPriority.prefix());
        command.addAll(List.of("/bin/sleep", "60"));
        var starting = new ProcessBuilder(command).start();
        try {
            var priority = new ProcessPriority(starting.toHandle(), 1);

            priority.starting();
            assertThat(policy(starting)).isEqualTo(BATCH);
            assertThat(sessionWeight(starting)).isIn(10, ABSENT);

            // If the kernel grants one change per 100 ms, the end of the first call restores the priority.
            priority.started();
            assertThat(priority.end()).isTrue();
            assertThat(policy(starting)).isEqualTo(NORMAL);
            assertThat(sessionWeight(starting)).isIn(0, ABSENT);
        } finally {
            starting.destroyForcibly();
        }
    }

    private static void awaitWork(Process process, Duration before, Duration work) {
        Waiting.until("it has worked " + work, () -> used(process).minus(before).compareTo(work) > 0);
    }

    private static Duration used(Process process) {
        return process.info().totalCpuDuration().orElseThrow();
    }

    private static int sessionWeight(Process process) throws IOException {
        var group = Path.of("/proc", Long.toString(process.pid()), "autogroup");
        if (!Files.exists(group)) {
            return ABSENT;
        }
        var text = Files.readString(group).strip();
        return Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1));
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
