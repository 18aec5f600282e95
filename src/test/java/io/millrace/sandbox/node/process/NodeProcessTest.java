package io.millrace.sandbox.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.sandbox.node.watch.ProcessBounds;
import io.millrace.sandbox.node.watch.ProcessWatchdog;
import io.millrace.sandbox.node.watch.ScratchFolder;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thread shortage on the host: callers that wait for the process are notified of its end, and no resources leak. */
final class NodeProcessTest {
    private static final String NO_THREAD = "unable to create native thread";

    @TempDir
    Path directory;

    private final List<String> ended = new CopyOnWriteArrayList<>();
    private ProcessWatchdog watchdog;

    @BeforeEach
    void watch() throws IOException {
        watchdog = ProcessWatchdog.start();
    }

    @AfterEach
    void stop() {
        watchdog.close();
    }

    @Test
    void notifiesItsOwner_whenTheFirstThreadCannotBeStarted() {
        process("node-write").start();

        assertThat(ended).containsExactly(NO_THREAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-errors", "node-read"})
    void endsTheProcess_whenItsReaderCannotBeStarted(String missing) {
        // given a long-running process, and no thread for its pipes after its start
        var process = process(missing);

        // when it is started
        process.start();

        // then it is killed, and its owner is notified
        Waiting.until("its owner is notified", () -> !ended.isEmpty());
        Waiting.until("it has ended", () -> !process.isAlive());
        assertThat(process.pid()).isPresent();
        assertThat(ended).containsExactly(NO_THREAD);
        assertThat(directory.resolve("exchange")).doesNotExist();
    }

    private NodeProcess process(String missing) {
        return new NodeProcess(new Owner(), launch(), watchdog, (name, work) -> {
            if (name.equals(missing)) {
                throw new OutOfMemoryError(NO_THREAD);
            }
            return NodeThreads.OF_SYSTEM.begin(name, work);
        });
    }

    private NodeLaunch launch() {
        var shell = Path.of("/bin/sh");
        assertThat(Files.isExecutable(shell)).isTrue();
        return new NodeLaunch(
                new NodeLaunch.Program(
                        ProcessPurpose.PIECE,
                        List.of(shell.toString(), "-c", "sleep 600"),
                        new FileGrants(List.of(), List.of(Path.of("/")), List.of()),
                        Map.of()),
                new Isolation(Isolation.Settings.of(directory.resolve("isolation"))),
                directory.resolve("exchange"),
                new NodeSettings.Network(List.of(), List.of(), List.of()),
                Optional.empty(),
                new ProcessBounds(false, 64L << 20, 1 << 20, 128, 256),
                new ScratchFolder(directory.resolve("exchange"), 1 << 20),
                false);
    }

    private final class Owner implements NodeProcess.Owner {
        @Override
        public void ready(NodeProcess process) {
            throw new AssertionError("it never speaks");
        }

        @Override
        public void ends(NodeTicket ticket, NodeResult how) {
            throw new AssertionError("it has no call");
        }

        @Override
        public void finished(NodeProcess process) {
            throw new AssertionError("it has no call");
        }

        @Override
        public void ended(NodeProcess process, List<NodeTicket> unbegun, String lastWords) {
            ended.add(lastWords);
        }
    }
}
