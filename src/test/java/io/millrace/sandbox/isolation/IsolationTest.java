package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process that this server started for others cannot do, asked of the kernel by real processes. */
class IsolationTest {
    private static final int CODE_USER = 65_521;
    private static final int PIECE_USER = 65_522;
    private static final Path SHELL = Path.of("/bin/sh");

    @TempDir
    private Path directory;

    private Isolation isolation;
    private Process neighbour;

    /** How a process ended and what it said. */
    private record Ended(int status, String said) {}

    @BeforeEach
    void start() throws IOException {
        isolation = new Isolation(new Isolation.Settings(directory.resolve("isolation"), CODE_USER, PIECE_USER));
        assumeTrue(isolation.inForce().confinesSignals(), isolation.inForce().description());
        neighbour = new ProcessBuilder("sleep", "600").start();
    }

    @AfterEach
    void stop() {
        if (neighbour != null) {
            neighbour.destroyForcibly();
        }
    }

    private Ended run(ProcessPurpose purpose, FileGrants grants, String script)
            throws IOException, InterruptedException {
        var command = isolation.command(purpose, grants, List.of(SHELL.toString(), "-c", script));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), said.strip());
    }

    private Ended run(ProcessPurpose purpose, String script) throws IOException, InterruptedException {
        return run(purpose, new FileGrants(List.of(), List.of(), List.of()), script);
    }

    @ParameterizedTest
    @EnumSource(ProcessPurpose.class)
    void runsAProgram_andAnswersItsStatus(ProcessPurpose purpose) throws Exception {
        assertThat(run(purpose, "echo \"$0\"; exit 7")).isEqualTo(new Ended(7, "/bin/sh"));
    }

    @ParameterizedTest
    @EnumSource(ProcessPurpose.class)
    void isTheFirstToEnd_whenTheMachineHasNoMemoryLeft(ProcessPurpose purpose) throws Exception {
        // Given a program that may see nothing of itself, so that one looks from outside
        var command = isolation.command(
                purpose,
                new FileGrants(List.of(), List.of(), List.of()),
                List.of(SHELL.toString(), "-c", "echo begun; read -r _"));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();

        // Then
        try (var said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("begun");
            assertThat(Path.of("/proc", Long.toString(process.pid()), "oom_score_adj"))
                    .content()
                    .isEqualTo("1000\n");
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(ProcessPurpose.class)
    void signalsNobody(ProcessPurpose purpose) throws Exception {
        for (var target : List.of(Long.toString(neighbour.pid()), "$PPID", "0", "-1")) {
            var ended = run(purpose, "kill -9 " + target + "; echo lives");

            assertThat(ended.said()).as(target).contains("not permitted").contains("lives");
        }
        assertThat(neighbour.isAlive()).isTrue();
    }

    @Test
    void readsNeitherMemoryNorEnvironmentNorDescriptorsOfOthers() throws Exception {
        for (var name : List.of("environ", "mem", "maps", "fd/0")) {
            var ended =
                    run(ProcessPurpose.PIECE, "read -r line </proc/" + neighbour.pid() + "/" + name + "; echo \"$?\"");

            assertThat(ended.said()).as(name).containsIgnoringCase("permission denied");
        }
    }

    @Test
    void startsNoFurtherProcess() throws Exception {
        assertThat(run(ProcessPurpose.INSTALL, "/bin/true & wait").said()).containsIgnoringCase("fork");
    }

    /** Where it may run, and how urgently, is the server's to say: its processor would be its neighbours' otherwise. */
    @ParameterizedTest
    @EnumSource(ProcessPurpose.class)
    void choosesNoProcessor_andNoPolicy(ProcessPurpose purpose) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")) && Files.isExecutable(Path.of("/usr/bin/chrt")));

        assertThat(run(purpose, "exec /usr/bin/taskset 1 /bin/true").said()).contains("not permitted");
        assertThat(run(purpose, "exec /usr/bin/chrt --other 0 /bin/true").said())
                .contains("not permitted");
    }

    @Test
    void readsAndWritesWhatItIsGiven_andNothingElse() throws Exception {
        // Given
        assumeTrue(isolation.inForce().landlockLevel() > 0, "no Landlock");
        var secret = Files.writeString(directory.resolve("secret"), "flour");
        var readable = Files.createDirectory(directory.resolve("readable"));
        Files.writeString(readable.resolve("file"), "water");
        var writable = directory.resolve("writable");
        isolation.lend(ProcessPurpose.PIECE, writable);
        var grants = new FileGrants(List.of(readable), List.of(), List.of(writable));

        // When
        var read = run(ProcessPurpose.PIECE, grants, "read -r line <" + readable.resolve("file") + "; echo \"$line\"");
        var written = run(ProcessPurpose.PIECE, grants, "echo salt >" + writable.resolve("new"));
        var stolen = run(ProcessPurpose.PIECE, grants, "read -r line <" + secret + "; echo \"$line\"");
        var forged = run(ProcessPurpose.PIECE, grants, "echo salt >" + readable.resolve("file"));

        // Then
        assertThat(read.said()).isEqualTo("water");
        assertThat(written.status()).as(written.toString()).isZero();
        assertThat(Files.readString(writable.resolve("new")).strip()).isEqualTo("salt");
        assertThat(stolen.said()).containsIgnoringCase("permission denied").doesNotContain("flour");
        assertThat(forged.said()).containsIgnoringCase("permission denied");
        assertThat(Files.readString(readable.resolve("file"))).isEqualTo("water");
    }

    @Test
    void becomesAnotherUser_whereThisServerIsRoot() throws Exception {
        assumeTrue(isolation.inForce().accounts() == EffectiveIsolation.Accounts.SEPARATE, "not root");
        var status = "while read -r name value rest; do case $name in Uid:|CapEff:|NoNewPrivs:) echo $value;; esac;"
                + " done </proc/self/status";

        assertThat(run(ProcessPurpose.CODE, status).said().lines().toList().getFirst())
                .isEqualTo("" + CODE_USER);
        assertThat(run(ProcessPurpose.PIECE, status).said().lines().toList().getFirst())
                .isEqualTo("" + PIECE_USER);
    }

    @Test
    void saysThatNothingIsInForce_whereProgramsCannotBeRun() throws IOException {
        // Given
        var notADirectory = Files.writeString(directory.resolve("file"), "");
        var broken = new Isolation(new Isolation.Settings(notADirectory, CODE_USER, PIECE_USER));
        var words = List.of("/bin/true");

        // Then
        assertThat(broken.inForce().confinesSignals()).isFalse();
        assertThat(broken.inForce().description()).startsWith("nothing is in force: programs cannot be run");
        assertThat(broken.command(ProcessPurpose.CODE, new FileGrants(List.of(), List.of(), List.of()), words))
                .isEqualTo(words);
    }
}
