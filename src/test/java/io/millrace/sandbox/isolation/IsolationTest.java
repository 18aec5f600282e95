package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.hostile.HostileKind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernel-enforced restrictions of sandboxed processes, tested with real processes. */
@HostileKind("process isolation")
class IsolationTest {
    private static final int CODE_USER = 65_521;
    private static final int PIECE_USER = 65_522;
    private static final Path SHELL = Path.of("/bin/sh");

    @TempDir
    private Path directory;

    private Isolation isolation;
    private Process neighbour;

    /** Exit status and output of a process. */
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
        return run(purpose, none(purpose), script);
    }

    /** File grants of the tests: only the programs that they run and, for the compiler, the system libraries. */
    private static FileGrants none(ProcessPurpose purpose) {
        var libraries = purpose == ProcessPurpose.COMPILER ? List.of("/lib", "/lib64", "/usr/lib") : List.<String>of();
        return new FileGrants(
                List.of(),
                Stream.concat(Stream.of("/usr/bin"), libraries.stream())
                        .map(Path::of)
                        .filter(Files::exists)
                        .toList(),
                List.of());
    }

    @ParameterizedTest
    @EnumSource(ProcessPurpose.class)
    void runsAProgram_andAnswersItsStatus(ProcessPurpose purpose) throws Exception {
        assertThat(run(purpose, "echo \"$0\"; exit 7")).isEqualTo(new Ended(7, "/bin/sh"));
    }

    @ParameterizedTest
    @EnumSource(ProcessPurpose.class)
    void isTheFirstToEnd_whenTheMachineHasNoMemoryLeft(ProcessPurpose purpose) throws Exception {
        // given a program that may not inspect itself, so the test inspects it from outside
        var command =
                isolation.command(purpose, none(purpose), List.of(SHELL.toString(), "-c", "echo begun; read -r _"));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();

        // then
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
    void cannotSignalOtherProcesses(ProcessPurpose purpose) throws Exception {
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

    /** Only the server sets CPU affinity and scheduling policy; otherwise a process could take the processors of others. */
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
        // given
        assumeTrue(isolation.inForce().landlockLevel() > 0, "no Landlock");
        var secret = Files.writeString(directory.resolve("secret"), "flour");
        var readable = Files.createDirectory(directory.resolve("readable"));
        Files.writeString(readable.resolve("file"), "water");
        var writable = directory.resolve("writable");
        isolation.lend(ProcessPurpose.PIECE, writable);
        var grants = new FileGrants(List.of(readable), List.of(), List.of(writable));

        // when
        var read = run(ProcessPurpose.PIECE, grants, "read -r line <" + readable.resolve("file") + "; echo \"$line\"");
        var written = run(ProcessPurpose.PIECE, grants, "echo salt >" + writable.resolve("new"));
        var stolen = run(ProcessPurpose.PIECE, grants, "read -r line <" + secret + "; echo \"$line\"");
        var forged = run(ProcessPurpose.PIECE, grants, "echo salt >" + readable.resolve("file"));

        // then
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
    void reportsNoIsolation_whereProgramsCannotBeRun() throws IOException {
        // given
        var notADirectory = Files.writeString(directory.resolve("file"), "");
        var broken = new Isolation(new Isolation.Settings(notADirectory, CODE_USER, PIECE_USER));
        var words = List.of("/bin/true");

        // then
        assertThat(broken.inForce().confinesSignals()).isFalse();
        assertThat(broken.inForce().description()).startsWith("no isolation is in force: programs cannot be run");
        assertThat(broken.command(ProcessPurpose.CODE, new FileGrants(List.of(), List.of(), List.of()), words))
                .isEqualTo(words);
    }

    private static final Path PYTHON = Path.of("/usr/bin/python3");

    /** Direct system calls, one at a time; the numbers are those of x86-64. */
    @ParameterizedTest
    @EnumSource(
            value = ProcessPurpose.class,
            names = {"PIECE", "INSTALL", "PYTHON"})
    void makesNoSocket_andNoConnection(ProcessPurpose purpose) throws Exception {
        assumeTrue(isolation.inForce().confinesNetwork(), "no filter");
        assumeTrue(Files.isExecutable(PYTHON) && Architecture.ofHost().equals(Optional.of(Architecture.X86_64)));
        var script = """
                import ctypes, os
                call = ctypes.CDLL(None, use_errno=True).syscall
                call.restype = ctypes.c_long
                buffer = ctypes.create_string_buffer(128)
                def attempt(name, *operands):
                    result = call(*[ctypes.c_long(o) if isinstance(o, int) else o for o in operands])
                    print(name, 'refused' if result < 0 and ctypes.get_errno() == 13 else (result, ctypes.get_errno()))
                for family in (1, 2, 3, 5, 9, 10, 15, 16, 17, 31, 38, 40, 44):
                    for kind in (1, 2, 3, 5, 1 | 0o4000, 2 | 0o2000000):
                        attempt('socket', 41, family, kind, 0)
                attempt('socketpair', 53, 1, 1, 0, buffer)
                for descriptor in (0, 1, 2, 3, 99):
                    attempt('connect', 42, descriptor, buffer, 16)
                    attempt('bind', 49, descriptor, buffer, 16)
                    attempt('fastopen', 44, descriptor, buffer, 1, 0x20000000, buffer, 16)
                    attempt('fastopen', 44, descriptor, buffer, 1, 0x20004040, buffer, 16)
                    attempt('fastopen', 46, descriptor, buffer, 0x20000000)
                    attempt('fastopen', 46, descriptor, buffer, 0x20000040)
                    attempt('several', 307, descriptor, buffer, 1, 0)
                """;
        var grants = new FileGrants(List.of(), List.of(PYTHON), List.of());

        var said = runWords(purpose, grants, Optional.empty(), List.of(PYTHON.toString(), "-I", "-c", script))
                .said();

        assertThat(said.lines()).hasSizeGreaterThan(100).allMatch(line -> line.endsWith(" refused"));
    }

    private Ended runWords(
            ProcessPurpose purpose, FileGrants grants, Optional<LaunchChannel> channel, List<String> words)
            throws IOException, InterruptedException {
        var command = isolation.command(purpose, grants, channel, words);
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), said.strip());
    }

    @ParameterizedTest
    @EnumSource(
            value = ProcessPurpose.class,
            names = {"PIECE", "INSTALL"})
    void hasAChannel_whichNamesTheProcessFirst(ProcessPurpose purpose) throws Exception {
        // given
        var token = "0123456789abcdef0123456789abcdef";
        var socket = directory.resolve("channel");
        var grants = new FileGrants(List.of(), List.of(), List.of(Files.createDirectory(directory.resolve("own"))));
        try (var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(UnixDomainSocketAddress.of(socket));

            // when
            var ended = runWords(
                    purpose,
                    grants,
                    Optional.of(new LaunchChannel(socket, token)),
                    List.of(
                            SHELL.toString(),
                            "-c",
                            "echo \"$0 $1\" >&3; read -r _ <&4 || echo none",
                            "flour",
                            "water"));

            // then
            assertThat(ended.said()).endsWith("none");
            assertThat(firstWords(listening)).isEqualTo(token + "flour water\n");
        }
    }

    /**
     * Text of the first connection that sends any: the program's probe may connect, and is killed before it sends
     * anything.
     */
    private static String firstWords(ServerSocketChannel listening) throws IOException {
        var said = "";
        while (said.isEmpty()) {
            try (var accepted = listening.accept()) {
                said = new String(Channels.newInputStream(accepted).readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        return said;
    }

    @Test
    void isNotRun_whenItsChannelCannotBeOpened() throws Exception {
        var channel = new LaunchChannel(directory.resolve("nothing"), "0".repeat(LaunchChannel.TOKEN_LENGTH));

        var ended = runWords(
                ProcessPurpose.PIECE,
                new FileGrants(List.of(), List.of(), List.of()),
                Optional.of(channel),
                List.of(SHELL.toString(), "-c", "echo begun"));

        assertThat(ended).isEqualTo(new Ended(LaunchSteps.NO_CHANNEL, ""));
    }

    @Test
    void refusesAChannel_whosePathIsTooLong_orWhoseTokenIsNone() {
        var token = "0".repeat(LaunchChannel.TOKEN_LENGTH);
        var longest = Path.of("/" + "a".repeat(LaunchChannel.PATH_BYTES_MAX - 1));

        assertThat(new LaunchChannel(longest, token).toString()).doesNotContain(token);
        assertThatThrownBy(() -> new LaunchChannel(Path.of(longest + "a"), token))
                .hasMessageContaining("107 bytes");
        assertThatThrownBy(() -> new LaunchChannel(longest, token + "0")).hasMessageContaining("32 characters");
        assertThatThrownBy(() -> new LaunchChannel(longest, token.replaceFirst("0", " ")))
                .hasMessageContaining("32 characters");
    }
}
